package dev.berth.agent.pods.config;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.cgroups.SystemdSlices;
import dev.berth.api.pods.QosClass;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Locale;

/// The location of pod control groups.
///
/// @param parent of all pods, such as `/kubepods`; empty leaves the choice to the runtime service
/// @param systemd whether systemd creates them as slices
/// @param killsTogether whether the kernel's OOM killer ends all processes of a container together
public record CgroupSettings(String parent, boolean systemd, boolean killsTogether) {
  public static final CgroupSettings BY_THE_RUNTIME = new CgroupSettings("", false, false);

  /// The group of a pod in the form for its runtime: `/kubepods/burstable/pod<uid>`, or systemd's
  /// slice name.
  public String of(Pod pod) {
    String path = path(pod);
    return systemd && !path.isEmpty() ? SystemdSlices.unit(path) : path;
  }

  /// The same as a path. Guaranteed pods are one level above the other QoS classes.
  public String path(Pod pod) {
    if (parent.isEmpty()) {
      return "";
    }
    QosClass qos = QosClass.of(pod);
    String level = qos == QosClass.GUARANTEED ? "" : qos.toString().toLowerCase(Locale.ROOT);
    return PodCgroups.path(parent, level, pod.getMetadata().getUid());
  }
}
