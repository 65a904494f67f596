/// What a node may do and which objects it may see.
///
/// Start at {@link dev.berth.server.auth.nodes.NodeAuthorizer}.
@NullMarked
package dev.berth.server.auth.nodes;

import org.jspecify.annotations.NullMarked;
