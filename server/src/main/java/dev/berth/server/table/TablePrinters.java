package dev.berth.server.table;

import java.util.Map;

/// The columns of every kind; the default is name and creation time.
///
/// Texts of columns are Berth's own; names, types and priorities are upstream's, because kubectl
/// and scripts depend on them.
public final class TablePrinters {
  private static final Map<String, KindColumns> CORE =
      Map.ofEntries(
          Map.entry("Pod", new PodColumns()),
          Map.entry("Node", NodeColumns.sheet()),
          Map.entry("Namespace", PlainColumns.namespace()),
          Map.entry("Event", EventColumns.sheet()),
          Map.entry("ConfigMap", PlainColumns.configMap()),
          Map.entry("Secret", PlainColumns.secret()),
          Map.entry("ServiceAccount", PlainColumns.serviceAccount()),
          Map.entry("Service", ServiceColumns.sheet()),
          Map.entry("Endpoints", EndpointsColumns.sheet()),
          Map.entry("ResourceQuota", QuotaColumns.sheet()),
          Map.entry("Status", PlainColumns.status()));

  private static final Map<String, Map<String, KindColumns>> OTHERS =
      Map.of(
          "apps",
          Map.of(
              "Deployment", WorkloadColumns.deployment(),
              "ReplicaSet", WorkloadColumns.replicaSet(),
              "DaemonSet", WorkloadColumns.daemonSet(),
              "StatefulSet", WorkloadColumns.statefulSet(),
              "ControllerRevision", WorkloadColumns.controllerRevision()),
          "autoscaling",
          Map.of("Scale", WorkloadColumns.scale()),
          "batch",
          Map.of("Job", JobColumns.sheet()),
          "certificates.k8s.io",
          Map.of("CertificateSigningRequest", CertificateColumns.sheet()),
          "coordination.k8s.io",
          Map.of("Lease", PlainColumns.lease()),
          "events.k8s.io",
          Map.of("Event", EventColumns.sheet()),
          "node.k8s.io",
          Map.of("RuntimeClass", PlainColumns.runtimeClass()),
          "scheduling.k8s.io",
          Map.of("PriorityClass", PlainColumns.priorityClass()),
          "storage.k8s.io",
          Map.of(
              "CSINode", StorageColumns.node(),
              "CSIDriver", StorageColumns.driver(),
              "VolumeAttachment", StorageColumns.attachment()),
          "rbac.authorization.k8s.io",
          Map.of(
              "RoleBinding", BindingColumns.sheet(),
              "ClusterRoleBinding", BindingColumns.sheet()));

  private static final KindColumns DEFAULT = PlainColumns.nameAndCreation();

  private TablePrinters() {}

  /// The columns of a kind, for all of its served versions.
  public static KindColumns forKind(String group, String kind) {
    Map<String, KindColumns> kinds = group.isEmpty() ? CORE : OTHERS.getOrDefault(group, Map.of());
    return kinds.getOrDefault(kind, DEFAULT);
  }
}
