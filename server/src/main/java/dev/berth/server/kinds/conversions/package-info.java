/// Served versions of kinds that differ from the stored version.
///
/// Start at {@link dev.berth.server.kinds.conversions.EventConversion}.
@NullMarked
package dev.berth.server.kinds.conversions;

import org.jspecify.annotations.NullMarked;
