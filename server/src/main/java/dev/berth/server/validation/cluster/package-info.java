/// Rules of the kinds that describe the cluster: Node, Namespace, Lease, RuntimeClass,
/// PriorityClass.
///
/// Start at {@link dev.berth.server.validation.cluster.NodeValidation}.
@NullMarked
package dev.berth.server.validation.cluster;

import org.jspecify.annotations.NullMarked;
