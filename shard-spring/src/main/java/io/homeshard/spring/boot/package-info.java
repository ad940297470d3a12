/** Spring Boot auto-configuration: one dependency and a few properties. */
@NullMarked
package io.homeshard.spring.boot;

import org.jspecify.annotations.NullMarked;
