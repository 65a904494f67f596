/// Fills aggregated cluster roles with the rules of those that they select.
@NullMarked
package dev.berth.controllers.roles;

import org.jspecify.annotations.NullMarked;
