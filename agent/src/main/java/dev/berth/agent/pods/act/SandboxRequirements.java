package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import java.util.Optional;

/// A security feature must never be dropped silently: a pod that asks for it does not start where
/// it is missing. Messages are the kubelet's.
final class SandboxRequirements {
  private SandboxRequirements() {}

  /// Refuses features that the agent or the service lacks.
  ///
  /// @throws ConfigException naming the feature
  static void check(StepContext stepContext) {
    Pod pod = stepContext.pod();
    Optional<DiscoveredService> service = stepContext.service().discovered();
    boolean hasUsers =
        service
            .flatMap(discovered -> discovered.handlers().find(stepContext.handler()))
            .map(ServiceHandler::userNamespaces)
            .orElse(false);
    if (Boolean.FALSE.equals(pod.getSpec().getHostUsers()) && !hasUsers) {
      throw new ConfigException(
          stepContext.handler().isEmpty()
              ? "can't set `spec.hostUsers: false`, runtime does not support user namespaces"
              : "can't set `spec.hostUsers: false`, RuntimeClass handler \"%s\" does not support user namespaces"
                  .formatted(stepContext.handler()));
    }
    boolean hasPolicy = service.map(DiscoveredService::supplementalGroupsPolicy).orElse(false);
    if (isStrict(pod.getSpec().getSecurityContext()) && !hasPolicy) {
      throw new ConfigException("SupplementalGroupsPolicy=Strict is not supported in this node");
    }
  }

  private static boolean isStrict(@org.jspecify.annotations.Nullable PodSecurityContext context) {
    return context != null && "Strict".equals(context.getSupplementalGroupsPolicy());
  }
}
