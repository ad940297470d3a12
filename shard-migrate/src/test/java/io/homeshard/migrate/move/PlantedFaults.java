package io.homeshard.migrate.move;

import java.util.List;

/** Faults of data and tables, one each: acme lives on s1 and shall go to s2; o1 lives on s1, o2 on s2. */
final class PlantedFaults {
    private static final String NONE = "";
    private static final String SERIAL = """
            CREATE TABLE app.f (tenant_id text NOT NULL, id bigserial PRIMARY KEY, no text);
            CREATE INDEX ON app.f (tenant_id);
            """;
    private static final String MONTHS = """
            CREATE TABLE app.f (tenant_id text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (tenant_id, at))
              PARTITION BY RANGE (at);
            CREATE TABLE app.f_2031_02 PARTITION OF app.f FOR VALUES FROM ('2031-02-01Z') TO ('2031-03-01Z');
            CREATE TABLE app.f_2031_03 PARTITION OF app.f FOR VALUES FROM ('2031-03-01Z') TO ('2031-04-01Z');
            """;
    private static final String APRIL = """
            CREATE TABLE app.f_2031_04 PARTITION OF app.f FOR VALUES FROM ('2031-04-01Z') TO ('2031-05-01Z');
            """;
    private static final String FAMILY = """
            CREATE TABLE app.f (tenant_id text NOT NULL, id uuid PRIMARY KEY);
            CREATE INDEX ON app.f (tenant_id);
            CREATE TABLE app.g (tenant_id text NOT NULL, id uuid PRIMARY KEY, parent uuid REFERENCES app.f);
            CREATE INDEX ON app.g (tenant_id);
            """;
    private static final String ONE = "'00000000-0000-0000-0000-000000000001'";
    private static final String KEYED = "tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id)";

    private PlantedFaults() {}

    static List<PlantedFault> keys() {
        return List.of(
                PlantedFault.of(
                        "d31_collidingKeys",
                        SERIAL + "ALTER TABLE app.f ADD UNIQUE (no)",
                        "INSERT INTO app.f (tenant_id, no) SELECT 'acme', 'A' || g FROM generate_series(1, 50) g",
                        "INSERT INTO app.f (tenant_id, no) SELECT 'o2', 'B' || g FROM generate_series(1, 80) g;"
                                + "UPDATE app.f SET no = 'A7' WHERE id = 3",
                        "ERROR unique-collision s2 app.f no",
                        "ERROR unique-collision s2 app.f id"),
                PlantedFault.of(
                        "d31_sameNumbersOneDay",
                        SERIAL,
                        "INSERT INTO app.f (tenant_id) VALUES ('acme')",
                        "INSERT INTO app.f (id, tenant_id) VALUES (70, 'o2')",
                        "NOTE sequence-advances s2 app.f_id_seq null",
                        "ERROR unique-without-tenant s2 app.f id"),
                PlantedFault.of(
                        "d31_numbersOfItsOwnOnEachShard",
                        SERIAL + "ALTER SEQUENCE app.f_id_seq INCREMENT 2;",
                        "INSERT INTO app.f (tenant_id) VALUES ('acme')",
                        "ALTER SEQUENCE app.f_id_seq RESTART 2; INSERT INTO app.f (tenant_id) VALUES ('o2')",
                        "WARNING unique-without-tenant s2 app.f id"),
                PlantedFault.of(
                        "d31_expressionsAndParts",
                        "CREATE TABLE app.f (" + KEYED + ", mail text, live boolean);"
                                + "CREATE UNIQUE INDEX f_mail ON app.f (lower(mail)) WHERE live",
                        "INSERT INTO app.f VALUES ('acme', 1, 'A@x', true), ('acme', 2, 'B@x', false)",
                        "INSERT INTO app.f VALUES ('o2', 1, 'a@X', true), ('o2', 2, 'B@x', true)",
                        "ERROR unique-collision s2 app.f null"),
                PlantedFault.of(
                        "d33_deferrableKeyWithTheTenant",
                        "CREATE TABLE app.f (" + KEYED + ", pos int, UNIQUE (tenant_id, pos) DEFERRABLE)",
                        "INSERT INTO app.f VALUES ('acme', 1, 1)",
                        "INSERT INTO app.f VALUES ('o2', 1, 1)"),
                PlantedFault.of(
                        "d33_deferrableKeyWithoutTheTenant",
                        "CREATE TABLE app.f (" + KEYED + ", pos int, UNIQUE (pos) DEFERRABLE)",
                        "INSERT INTO app.f VALUES ('acme', 1, 1), ('acme', 2, NULL)",
                        "INSERT INTO app.f VALUES ('o2', 1, 1), ('o2', 2, NULL)",
                        "ERROR unique-collision s2 app.f pos"),
                PlantedFault.of(
                        "d35_overlap",
                        "CREATE TABLE app.f (" + KEYED + ", room int4range, during tsrange,"
                                + " EXCLUDE USING gist (room WITH =, during WITH &&))",
                        "INSERT INTO app.f VALUES ('acme', 1, '[7,7]', '[2030-01-01,2030-01-03)')",
                        "INSERT INTO app.f VALUES ('o2', 1, '[7,7]', '[2030-01-02,2030-01-05)')",
                        "ERROR exclusion-collision s2 app.f null"),
                PlantedFault.of(
                        "d35_overlapSomeDay",
                        "CREATE TABLE app.f (" + KEYED + ", room int4range, during tsrange,"
                                + " EXCLUDE USING gist (room WITH =, during WITH &&))",
                        "INSERT INTO app.f VALUES ('acme', 1, '[7,7]', '[2030-01-01,2030-01-03)')",
                        "INSERT INTO app.f VALUES ('o2', 1, '[8,8]', '[2030-01-02,2030-01-05)')",
                        "WARNING exclusion-without-tenant s2 app.f null"),
                PlantedFault.of(
                        "d35_tenantInTheRule",
                        "CREATE TABLE app.f (" + KEYED + ", room int, EXCLUDE (tenant_id WITH =, room WITH =))",
                        "INSERT INTO app.f VALUES ('acme', 1, 7)",
                        "INSERT INTO app.f VALUES ('o2', 1, 7)"));
    }

    static List<PlantedFault> rows() {
        return List.of(
                PlantedFault.of(
                        "d51_nullTenant",
                        "CREATE TABLE app.f (tenant_id text, x int); CREATE INDEX ON app.f (tenant_id)",
                        "INSERT INTO app.f VALUES (NULL, 1)",
                        NONE,
                        "WARNING null-tenant s1 app.f tenant_id"),
                PlantedFault.of(
                        "d51_undeclared",
                        "CREATE TABLE app.f (sku text)",
                        NONE,
                        NONE,
                        "ERROR undeclared-table s1 app.f null"),
                PlantedFault.of(
                        "d51_reachableThroughTheParentOnly",
                        "CREATE TABLE app.f (order_id uuid, sku text);"
                                + "CREATE TABLE app.g (tenant_id text NOT NULL, id uuid PRIMARY KEY);"
                                + "CREATE INDEX ON app.g (tenant_id);"
                                + "ALTER TABLE app.f ADD FOREIGN KEY (order_id) REFERENCES app.g",
                        NONE,
                        NONE,
                        "ERROR child-without-tenant s1 app.f null"),
                PlantedFault.of(
                        "refersToAnother",
                        FAMILY,
                        "INSERT INTO app.f VALUES ('o1', " + ONE + "); INSERT INTO app.g VALUES ('acme', " + ONE + ", "
                                + ONE + ")",
                        NONE,
                        "ERROR foreign-key-crosses s1 app.g parent"),
                PlantedFault.of(
                        "isReferredToByAnother",
                        FAMILY,
                        "INSERT INTO app.f VALUES ('acme', " + ONE + "); INSERT INTO app.g VALUES ('o1', " + ONE + ", "
                                + ONE + ")",
                        NONE,
                        "ERROR foreign-key-crosses s1 app.g parent"),
                PlantedFault.of(
                        "refersToItsOwn",
                        FAMILY,
                        "INSERT INTO app.f VALUES ('acme', " + ONE + "); INSERT INTO app.g VALUES ('acme', " + ONE
                                + ", " + ONE + ")",
                        NONE),
                PlantedFault.of(
                        "d36_largeObject",
                        "CREATE TABLE app.f (" + KEYED + ", body oid)",
                        "INSERT INTO app.f VALUES ('acme', 1, 4711)",
                        NONE,
                        "ERROR oid-column s1 app.f body"),
                PlantedFault.of(
                        "d36_domainOverOidAndNamesOfThings",
                        "CREATE DOMAIN app.lo AS oid; CREATE TABLE app.f (" + KEYED
                                + ", body app.lo, tab regclass[], plain bigint)",
                        "INSERT INTO app.f VALUES ('acme', 1, NULL, '{app.f}', 1)",
                        NONE,
                        "WARNING oid-column s1 app.f body",
                        "ERROR oid-column s1 app.f tab"),
                PlantedFault.of(
                        "d41_unlogged",
                        "CREATE UNLOGGED TABLE app.f (" + KEYED + ")",
                        NONE,
                        NONE,
                        "WARNING unlogged-table s2 app.f null"),
                PlantedFault.of(
                        "brokenCheck",
                        "CREATE TABLE app.f (" + KEYED + ", n int)",
                        "INSERT INTO app.f VALUES ('acme', 1, -1);"
                                + "ALTER TABLE app.f ADD CONSTRAINT positive CHECK (n > 0) NOT VALID",
                        "ALTER TABLE app.f ADD CONSTRAINT positive CHECK (n > 0) NOT VALID",
                        "ERROR not-valid-violated s1 app.f n"),
                PlantedFault.of(
                        "brokenCheckOfAnother",
                        "CREATE TABLE app.f (" + KEYED + ", n int)",
                        "INSERT INTO app.f VALUES ('o1', 1, -1);"
                                + "ALTER TABLE app.f ADD CONSTRAINT positive CHECK (n > 0) NOT VALID",
                        "ALTER TABLE app.f ADD CONSTRAINT positive CHECK (n > 0) NOT VALID"),
                PlantedFault.of(
                        "brokenForeignKey",
                        "CREATE TABLE app.f (" + KEYED + ", base int)",
                        "INSERT INTO app.f VALUES ('acme', 1, 99);" + "ALTER TABLE app.f ADD CONSTRAINT to_base"
                                + " FOREIGN KEY (tenant_id, base) REFERENCES app.base NOT VALID",
                        "ALTER TABLE app.f ADD CONSTRAINT to_base"
                                + " FOREIGN KEY (tenant_id, base) REFERENCES app.base NOT VALID",
                        "ERROR not-valid-violated s1 app.f null"),
                PlantedFault.of(
                        "sequenceBehind",
                        "CREATE TABLE app.f (tenant_id text, id int GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (tenant_id, id))",
                        "INSERT INTO app.f (tenant_id) SELECT 'acme' FROM generate_series(1, 9)",
                        NONE,
                        "NOTE sequence-advances s2 app.f_id_seq null"),
                PlantedFault.of(
                        "d28_oversizeRow",
                        "CREATE TABLE app.f (" + KEYED + ", body text, doc jsonb)",
                        "INSERT INTO app.f VALUES ('acme', 1, repeat('x', 200000)), ('acme', 2, 'y')",
                        NONE,
                        "ERROR row-too-large s1 app.f null"),
                PlantedFault.of(
                        "d28_oversizeWhenPrinted",
                        "CREATE TABLE app.f (" + KEYED + ", body text, doc jsonb)",
                        "INSERT INTO app.f VALUES ('acme', 1, 'y', to_jsonb(repeat('x', 200000)))",
                        NONE,
                        "ERROR row-too-large s1 app.f null"),
                PlantedFault.of(
                        "d28_rowsOfUsualSize",
                        "CREATE TABLE app.f (" + KEYED + ", body text, doc jsonb)",
                        "INSERT INTO app.f VALUES ('acme', 1, repeat('x', 50000), to_jsonb(repeat('x', 5000)))",
                        NONE),
                PlantedFault.of(
                        "looseTenantType",
                        "CREATE TABLE app.f (tenant_id char(8), id int, PRIMARY KEY (tenant_id, id))",
                        NONE,
                        NONE,
                        "WARNING tenant-type-loose s1 app.f tenant_id"),
                PlantedFault.of(
                        "noIndexByTenant",
                        "CREATE TABLE app.f (tenant_id text NOT NULL, id uuid PRIMARY KEY)",
                        NONE,
                        NONE,
                        "WARNING no-tenant-index s1 app.f tenant_id"));
    }

    static List<PlantedFault> partitions() {
        return List.of(
                PlantedFault.of(
                        "d12_thirdMonthMissing",
                        MONTHS,
                        APRIL + "INSERT INTO app.f VALUES ('acme', '2031-03-31 23:59Z'), ('acme', '2031-04-07Z')",
                        NONE,
                        "ERROR partition-missing s2 app.f null"),
                PlantedFault.of(
                        "d12_monthMissingThatTheTenantHasNotReached",
                        MONTHS,
                        APRIL + "INSERT INTO app.f VALUES ('acme', '2031-03-07Z'), ('o1', '2031-04-07Z')",
                        NONE),
                PlantedFault.of(
                        "d12_monthsInOnePartition",
                        "CREATE TABLE app.f (tenant_id text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (tenant_id, at))"
                                + " PARTITION BY RANGE (at)",
                        APRIL + "INSERT INTO app.f VALUES ('acme', '2031-04-07Z')",
                        "CREATE TABLE app.f_all PARTITION OF app.f DEFAULT"),
                PlantedFault.of(
                        "d12_listByTenant",
                        "CREATE TABLE app.f (" + KEYED + ") PARTITION BY LIST (tenant_id)",
                        "CREATE TABLE app.f_a PARTITION OF app.f FOR VALUES IN ('acme');"
                                + "INSERT INTO app.f VALUES ('acme', 1)",
                        "CREATE TABLE app.f_o PARTITION OF app.f FOR VALUES IN ('o2')",
                        "ERROR partition-missing s2 app.f null"),
                PlantedFault.of(
                        "d12_hashInOtherParts",
                        "CREATE TABLE app.f (" + KEYED + ") PARTITION BY HASH (id)",
                        "CREATE TABLE app.f_0 PARTITION OF app.f FOR VALUES WITH (MODULUS 1, REMAINDER 0);"
                                + "INSERT INTO app.f SELECT 'acme', g FROM generate_series(1, 9) g",
                        "CREATE TABLE app.f_0 PARTITION OF app.f FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
                        "ERROR partition-missing s2 app.f null"),
                PlantedFault.of(
                        "d12_hashComplete",
                        "CREATE TABLE app.f (" + KEYED + ") PARTITION BY HASH (id)",
                        "CREATE TABLE app.f_0 PARTITION OF app.f FOR VALUES WITH (MODULUS 1, REMAINDER 0);"
                                + "INSERT INTO app.f SELECT 'acme', g FROM generate_series(1, 9) g",
                        "CREATE TABLE app.f_0 PARTITION OF app.f FOR VALUES WITH (MODULUS 2, REMAINDER 0);"
                                + "CREATE TABLE app.f_1 PARTITION OF app.f FOR VALUES WITH (MODULUS 2, REMAINDER 1)"));
    }

    static List<PlantedFault> references() {
        String to = "CREATE TABLE app.f (" + KEYED + ", kind text REFERENCES app.kind)";
        return List.of(
                PlantedFault.of(
                        "referenceRowMissing",
                        to,
                        "INSERT INTO app.kind VALUES ('red', 'Red'); INSERT INTO app.f VALUES ('acme', 1, 'red')",
                        NONE,
                        "ERROR reference-missing s2 app.kind code"),
                PlantedFault.of(
                        "referenceRowDiffers",
                        to,
                        "INSERT INTO app.kind VALUES ('red', 'Red'); INSERT INTO app.f VALUES ('acme', 1, 'red')",
                        "INSERT INTO app.kind VALUES ('red', 'Rot')",
                        "ERROR reference-row-differs s2 app.kind code"),
                PlantedFault.of(
                        "otherReferenceRows",
                        to,
                        "INSERT INTO app.kind VALUES ('red', 'Red'); INSERT INTO app.f VALUES ('acme', 1, 'red')",
                        "INSERT INTO app.kind VALUES ('red', 'Red'), ('blue', 'Blue')",
                        "WARNING reference-differs s2 app.kind null"),
                PlantedFault.of(
                        "ignoredTableRefersToTheTenant",
                        NONE,
                        "INSERT INTO app.audit VALUES ('acme', 1)",
                        NONE,
                        "ERROR foreign-key-crosses s1 app.audit null"),
                PlantedFault.of(
                        "ignoredTableRefersToAnother",
                        NONE,
                        "INSERT INTO app.base VALUES ('o1', 1); INSERT INTO app.audit VALUES ('o1', 1)",
                        NONE));
    }
}
