package dev.berth.server.admission.podsecurity;

import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.podsecurity.LevelVersion;
import dev.berth.server.podsecurity.PolicyEvaluator;
import dev.berth.server.podsecurity.PolicyVersion;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;

/// Counts pod security decisions, under upstream's metric names.
public final class PodSecurityMetrics {
  private final Counter evaluations;
  private final Counter exemptions;
  private final Counter errors;

  public PodSecurityMetrics(PrometheusRegistry registry) {
    evaluations =
        Counter.builder()
            .name("pod_security_evaluations_total")
            .help("Policy evaluations, without requests that are ignored or exempt.")
            .labelNames(
                "decision",
                "policy_level",
                "policy_version",
                "mode",
                "request_operation",
                "resource",
                "subresource")
            .register(registry);
    exemptions =
        Counter.builder()
            .name("pod_security_exemptions_total")
            .help("Requests that an exemption of the configuration let pass.")
            .labelNames("request_operation", "resource", "subresource")
            .register(registry);
    errors =
        Counter.builder()
            .name("pod_security_errors_total")
            .help("Requests in a namespace whose labels cannot be read, which is restricted then.")
            .labelNames("fatal", "request_operation", "resource", "subresource")
            .register(registry);
  }

  void evaluated(boolean allowed, LevelVersion policy, String mode, AdmissionAttributes write) {
    evaluations
        .labelValues(
            allowed ? "allow" : "deny",
            policy.level().toString(),
            version(policy),
            mode,
            operation(write),
            resource(write),
            write.subresource())
        .inc();
  }

  /// Bounds the label: all versions that do not exist yet are reported as `future`.
  private static String version(LevelVersion policy) {
    if (policy.isPrivileged() || policy.version().equals(PolicyVersion.LATEST)) {
      return "latest";
    }
    return policy.version().minor() > PolicyEvaluator.NEWEST
        ? "future"
        : policy.version().toString();
  }

  void exempted(AdmissionAttributes write) {
    exemptions.labelValues(operation(write), resource(write), write.subresource()).inc();
  }

  void unreadableLabels(AdmissionAttributes write) {
    errors.labelValues("false", operation(write), resource(write), write.subresource()).inc();
  }

  private static String operation(AdmissionAttributes write) {
    return write.operation().name().toLowerCase(Locale.ROOT);
  }

  private static String resource(AdmissionAttributes write) {
    return write.isOn("", "pods")
        ? "pod"
        : write.isOn("", "namespaces") ? "namespace" : "controller";
  }
}
