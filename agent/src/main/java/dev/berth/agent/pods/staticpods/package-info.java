/// Pods that are declared in files on the node and run whether the API server is there or not, and
/// their mirror pods in the API.
///
/// Start with [dev.berth.agent.pods.staticpods.StaticPods].
@NullMarked
package dev.berth.agent.pods.staticpods;

import org.jspecify.annotations.NullMarked;
