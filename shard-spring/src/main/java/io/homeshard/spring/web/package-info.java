/** The edge of a servlet application: which tenant is this request for? */
@NullMarked
package io.homeshard.spring.web;

import org.jspecify.annotations.NullMarked;
