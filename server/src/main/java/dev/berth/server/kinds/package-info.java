/// What the server knows about a kind: names, versions, verbs, subresources, rules. The kinds
/// themselves are in `kinds.catalog`.
///
/// Start at {@link dev.berth.server.kinds.ResourceKind}.
@NullMarked
package dev.berth.server.kinds;

import org.jspecify.annotations.NullMarked;
