/// What a pod means, once for all modules: resources with their sidecar, init and pod-level rules,
/// QoS, host ports, phases, platform, workload type and runtime service.
///
/// The rules read a `PodView`, which is made of a JSON tree or of fabric8's model. Start reading at
/// `PodView`, then `PodResources`.
@NullMarked
package dev.berth.api.pods;

import org.jspecify.annotations.NullMarked;
