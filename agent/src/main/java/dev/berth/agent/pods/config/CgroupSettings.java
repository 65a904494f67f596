package dev.berth.agent.pods.config;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.cgroups.SystemdSlices;
import dev.berth.api.pods.QosClass;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Locale;

/// Where pods' control groups are.
///
/// @param parent of all pods, such as `/kubepods`; empty leaves the choice to the runtime service
/// @param systemd whether systemd makes them, as slices
/// @param killsTogether whether all processes of a container end when one has to for want of memory
public record CgroupSettings(String parent, boolean systemd, boolean killsTogether) {
  public static final CgroupSettings BY_THE_RUNTIME = new CgroupSettings("", false, false);

  /// The group of a pod, as its runtime is told: `/kubepods/burstable/pod<uid>`, or the name that
  /// systemd has for it.
  public String of(Pod pod) {
    String path = path(pod);
    return systemd && !path.isEmpty() ? SystemdSlices.unit(path) : path;
  }

  /// The same, whoever makes it; guaranteed pods are one level higher than others.
  public String path(Pod pod) {
    if (parent.isEmpty()) {
      return "";
    }
    QosClass qos = QosClass.of(pod);
    String level = qos == QosClass.GUARANTEED ? "" : qos.toString().toLowerCase(Locale.ROOT);
    return PodCgroups.path(parent, level, pod.getMetadata().getUid());
  }
}
