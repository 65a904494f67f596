/// The values that the server fills in, one class per kind or shared part.
///
/// Start at {@link dev.berth.server.defaults.ObjectDefaults}.
@NullMarked
package dev.berth.server.defaults;

import org.jspecify.annotations.NullMarked;
