/// What the server does to objects of single kinds around a write.
///
/// Start at {@link dev.berth.server.kinds.strategies.CommonStrategy}.
@NullMarked
package dev.berth.server.kinds.strategies;

import org.jspecify.annotations.NullMarked;
