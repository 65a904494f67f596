package dev.berth.agent.pods.admission;

import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;

/// Refuses pods that the node's operating system cannot run; reasons and messages are the
/// kubelet's.
final class SystemRules {
  private SystemRules() {}

  static Optional<PodFailure> refusal(Pod pod, PlatformConfig platform) {
    String system = platform.system();
    Map<String, String> selector = pod.getSpec().getNodeSelector();
    if (selector != null && !selector.getOrDefault("kubernetes.io/os", system).equals(system)) {
      return Optional.of(
          PodFailure.rejected(
              FailureReason.SYSTEM_SELECTOR,
              "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"));
    }
    if (pod.getSpec().getOs() != null && !system.equals(pod.getSpec().getOs().getName())) {
      return Optional.of(
          PodFailure.rejected(
              FailureReason.SYSTEM_NAME,
              "Failed to admit pod as the OS field doesn't match node OS"));
    }
    return platform
        .forbiddenSysctl(pod)
        .map(why -> PodFailure.rejected(FailureReason.SYSCTL, why))
        .or(
            () ->
                platform
                    .missingAppArmor(pod)
                    .map(
                        why ->
                            PodFailure.rejected(
                                FailureReason.APP_ARMOR, "Cannot enforce AppArmor: " + why)));
  }
}
