/** The code of docs/spring.md as an application that runs. */
@NullMarked
package io.homeshard.spring.guide;

import org.jspecify.annotations.NullMarked;
