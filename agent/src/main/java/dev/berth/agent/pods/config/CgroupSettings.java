package dev.berth.agent.pods.config;

import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.cgroups.PodCgroups;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Locale;

/// Where pods' control groups are.
///
/// @param parent of all pods, such as `/kubepods`; empty leaves the choice to the runtime service
/// @param systemd whether names are those of systemd's slices
/// @param killsTogether whether all processes of a container end when one has to for want of memory
public record CgroupSettings(String parent, boolean systemd, boolean killsTogether) {
  public static final CgroupSettings BY_THE_RUNTIME = new CgroupSettings("", false, false);

  /// What a pod may use: all its containers together, and its overhead.
  public static CgroupLimits limits(Pod pod) {
    return LinuxResources.ofPod(pod);
  }

  /// The group of a pod: `/kubepods/burstable/pod<uid>`, or what systemd makes of it; guaranteed
  /// pods are one level higher.
  public String of(Pod pod) {
    if (parent.isEmpty()) {
      return "";
    }
    QosClass qos = QosClass.of(pod);
    String level = qos == QosClass.GUARANTEED ? "" : qos.toString().toLowerCase(Locale.ROOT);
    String uid = pod.getMetadata().getUid();
    if (!systemd) {
      return PodCgroups.path(parent, level, uid);
    }
    String root = parent.replaceFirst("^/+", "").replaceFirst("\\.slice$", "").replace('/', '-');
    String above = level.isEmpty() ? root : root + "-" + level;
    return "%s-pod%s.slice".formatted(above, uid.replace('-', '_'));
  }
}
