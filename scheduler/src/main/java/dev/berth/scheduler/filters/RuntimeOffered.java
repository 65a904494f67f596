package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.model.ReportedRuntimes;
import dev.berth.scheduler.model.RuntimeServiceInfo;
import java.util.List;
import java.util.Optional;

/// Refuses nodes without a ready runtime service that serves the pod's workload type, offers the
/// handler of its RuntimeClass, and has the requested name.
///
/// A node that reports no services is judged by its labels alone, as upstream; only a pod that
/// names a service or is a virtual machine needs a node that reports a matching one.
final class RuntimeOffered implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    String handler = cluster.handler(needs.className());
    if (handler == null) {
      return Optional.of(classMissing(needs.className()));
    }
    ReportedRuntimes runtimes = node.traits().runtimes();
    if (!runtimes.isReported()
        && (needs.serviceName().isEmpty() || needs.asksForDefaultService())
        && needs.workload().isPlainPod()) {
      return Optional.empty();
    }
    return isBySelector(needs, cluster)
        ? Optional.empty()
        : judge(needs, handler, runtimes.services());
  }

  /// As upstream: only the labels of the class decide.
  private static boolean isBySelector(PodRequirements needs, ClusterState cluster) {
    return !needs.className().isEmpty()
        && needs.serviceName().isEmpty()
        && needs.workload().isPlainPod()
        && cluster.scheduling(needs.className()) == ClassScheduling.SELECTOR;
  }

  static RefusalReason classMissing(String name) {
    return new RefusalReason(
        RefusalCause.CLASS_MISSING, "RuntimeClass \"%s\" not found".formatted(name));
  }

  private static Optional<RefusalReason> judge(
      PodRequirements needs, String handler, List<RuntimeServiceInfo> all) {
    List<RuntimeServiceInfo> services =
        all.stream().filter(service -> service.workload() == needs.workload()).toList();
    if (needs.asksForDefaultService()) {
      services = services.stream().filter(RuntimeServiceInfo::isDefault).toList();
    } else if (!needs.serviceName().isEmpty()) {
      services = services.stream().filter(s -> s.name().equals(needs.serviceName())).toList();
      if (services.isEmpty()) {
        return unsupported(
            "node(s) don't have runtime service \"%s\" for workload type %s",
            needs.serviceName(), needs.workload());
      }
    }
    if (services.isEmpty()) {
      return unsupported("node(s) don't serve workload type %s", needs.workload());
    }
    if (handler.isEmpty()) {
      List<RuntimeServiceInfo> defaults =
          services.stream().filter(RuntimeServiceInfo::isDefault).toList();
      return ready(defaults.isEmpty() ? services : defaults, defaultNotReady(needs));
    }
    List<RuntimeServiceInfo> offering =
        services.stream().filter(service -> service.handlers().contains(handler)).toList();
    if (offering.isEmpty()) {
      return unsupported(
          "node(s) don't offer RuntimeClass \"%s\" (handler %s)", needs.className(), handler);
    }
    return ready(
        offering,
        "node(s) have handler %s but its runtime service is not ready".formatted(handler));
  }

  private static String defaultNotReady(PodRequirements needs) {
    return needs.serviceName().isEmpty() || needs.asksForDefaultService()
        ? "node(s) have a default runtime service for workload type %s but it is not ready"
            .formatted(needs.workload())
        : "node(s) have runtime service \"%s\" but it is not ready".formatted(needs.serviceName());
  }

  private static Optional<RefusalReason> unsupported(String format, Object... values) {
    return Optional.of(
        new RefusalReason(RefusalCause.RUNTIME_UNSUPPORTED, format.formatted(values)));
  }

  private static Optional<RefusalReason> ready(
      List<RuntimeServiceInfo> services, String otherwise) {
    return services.stream().anyMatch(RuntimeServiceInfo::isReady)
        ? Optional.empty()
        : Optional.of(new RefusalReason(RefusalCause.RUNTIME_NOT_READY, otherwise));
  }
}
