package dev.berth.server.podsecurity;

import java.util.Optional;

/// A control of the Pod Security Standards, in one of its versions. Checks are pure; they see a pod
/// with its defaults.
@FunctionalInterface
interface PodCheck {
  /// Returns the violation; empty when the pod complies.
  Optional<PolicyViolation> check(CheckedPod pod);

  /// This check with an exception for Windows pods: what it requires exists only on Linux.
  default PodCheck exceptOnWindows() {
    return pod -> pod.isForWindows() ? Optional.empty() : check(pod);
  }

  /// This check with an exception for pods in a user namespace, whose root is unprivileged on the
  /// node (KEP-127).
  default PodCheck exceptInUserNamespace() {
    return pod -> pod.hasUserNamespace() ? Optional.empty() : check(pod);
  }
}
