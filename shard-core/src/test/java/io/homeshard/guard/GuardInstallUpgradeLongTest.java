package io.homeshard.guard;

import org.junit.jupiter.api.Tag;

/** The same, many times more. */
@Tag("long")
class GuardInstallUpgradeLongTest extends GuardInstallUpgradeTest {
    @Override
    int rounds() {
        return 40;
    }
}
