/// The node as the cluster sees it: its Node object, its Lease, its conditions and runtimes.
///
/// Start with [dev.berth.agent.node.NodeAgent]. What the object should say is computed by pure
/// classes (`NodeObject`, `NodeConditions`, `RuntimeReport`); `NodeReporter` writes it when it
/// differs.
@NullMarked
package dev.berth.agent.node;

import org.jspecify.annotations.NullMarked;
