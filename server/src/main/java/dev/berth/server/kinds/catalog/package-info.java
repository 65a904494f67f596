/// The kinds that are served, one entry each, and how they are found by the names that requests
/// use.
///
/// Start at {@link dev.berth.server.kinds.catalog.ServedKinds}.
@NullMarked
package dev.berth.server.kinds.catalog;

import org.jspecify.annotations.NullMarked;
