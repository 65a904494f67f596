/// Pods that are declared in files on the node and run whether the API server is there or not.
///
/// Start with [dev.berth.agent.pods.manifests.ManifestDirectory].
@NullMarked
package dev.berth.agent.pods.manifests;

import org.jspecify.annotations.NullMarked;
