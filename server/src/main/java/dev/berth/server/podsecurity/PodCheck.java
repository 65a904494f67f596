package dev.berth.server.podsecurity;

import java.util.Optional;

/// One control of the Pod Security Standards, in one of its versions.
@FunctionalInterface
interface PodCheck {
  /// What is wrong with the pod; empty when nothing is.
  Optional<PolicyViolation> check(CheckedPod pod);

  /// The same check, which pods for Windows need not pass: what it asks for exists on Linux alone.
  default PodCheck exceptOnWindows() {
    return pod -> pod.isForWindows() ? Optional.empty() : check(pod);
  }

  /// The same check, which pods in a user namespace need not pass: their root is nobody on the node
  /// (KEP-127).
  default PodCheck exceptInUserNamespace() {
    return pod -> pod.hasUserNamespace() ? Optional.empty() : check(pod);
  }
}
