/// How a machine joins a cluster: tokens, discovery of the certificate authority, the node's own
/// kubeconfig and its renewal.
///
/// It uses `connection` and `process`. Start reading at {@link
/// dev.berth.launch.join.NodeKubeconfig}.
@NullMarked
package dev.berth.launch.join;

import org.jspecify.annotations.NullMarked;
