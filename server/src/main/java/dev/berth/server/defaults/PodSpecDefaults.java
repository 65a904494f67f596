package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodWorkload;

/// Fills in the specification of a pod, in pods and in the templates of other kinds alike.
///
/// Templates get the same values as pods, so that a controller's pods equal its template and are
/// not seen as outdated.
public final class PodSpecDefaults {
  private static final int GRACE_SECONDS = 30;

  private PodSpecDefaults() {}

  public static void apply(ObjectNode spec) {
    PodTree.text(spec, "dnsPolicy", "ClusterFirst");
    PodTree.text(spec, "restartPolicy", "Always");
    PodTree.text(spec, "schedulerName", "default-scheduler");
    PodTree.absentNumber(spec, "terminationGracePeriodSeconds", GRACE_SECONDS);
    if (!spec.hasNonNull("securityContext")) {
      spec.putObject("securityContext");
    }
    PodTree.each(spec, "volumes", VolumeDefaults::apply);
    PodTree.each(spec, "initContainers", ContainerDefaults::apply);
    PodTree.each(spec, "containers", ContainerDefaults::apply);
    PodTree.each(spec, "ephemeralContainers", ContainerDefaults::apply);
    PodWorkload.in(spec).forEach(one -> workload(one.tree()));
    PodTree.object(spec, "overhead", ResourceDefaults::roundUp);
    PodTree.object(spec, "resources", ResourceDefaults::requirements);
    mirrorServiceAccount(spec);
  }

  /// Those of a container that make sense for any workload.
  private static void workload(ObjectNode workload) {
    PodTree.text(workload, "imagePullPolicy", "IfNotPresent");
    PodTree.object(workload, "resources", ResourceDefaults::requirements);
    ContainerDefaults.environment(workload);
  }

  /// Keeps `serviceAccount`, the old name of the field, equal to `serviceAccountName`.
  ///
  /// Called again after admission sets the name.
  public static void mirrorServiceAccount(ObjectNode spec) {
    String name = PodTree.text(spec, "serviceAccountName");
    String account = name.isEmpty() ? PodTree.text(spec, "serviceAccount") : name;
    if (!account.isEmpty()) {
      spec.put("serviceAccountName", account);
      spec.put("serviceAccount", account);
    }
  }
}
