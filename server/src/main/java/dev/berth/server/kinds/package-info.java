/// One entry per kind that is served: names, versions, verbs, rules.
///
/// Start at {@link dev.berth.server.kinds.ResourceKind}; the list itself is in `ServedKinds`.
@NullMarked
package dev.berth.server.kinds;

import org.jspecify.annotations.NullMarked;
