package dev.berth.agent.pods.config.linux;

import dev.berth.agent.pods.config.SandboxConfigs;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.Sysctl;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The sysctls that pods may set: the safe ones, which affect no other pod, and those that the
/// administrator allows.
///
/// @param allowed names, or prefixes followed by `*`
public record AllowedSysctls(List<String> allowed) {
  private static final List<String> SAFE =
      List.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_wmem");

  public static final AllowedSysctls ONLY_SAFE = new AllowedSysctls(List.of());

  public AllowedSysctls {
    allowed = allowed.stream().map(AllowedSysctls::dotted).toList();
  }

  /// Why a pod is refused, in the kubelet's words; empty when it is not.
  Optional<String> refusal(Pod pod) {
    PodSecurityContext context = pod.getSpec().getSecurityContext();
    return context == null
        ? Optional.empty()
        : context.getSysctls().stream()
            .map(Sysctl::getName)
            .map(AllowedSysctls::dotted)
            .flatMap(name -> mistake(name, pod).stream())
            .findFirst()
            .map(mistake -> "forbidden sysctl: " + mistake);
  }

  private Optional<String> mistake(String name, Pod pod) {
    if (Stream.concat(SAFE.stream(), allowed.stream()).noneMatch(one -> covers(one, name))) {
      return Optional.of("\"%s\" not allowlisted".formatted(name));
    }
    String namespace = namespace(name);
    boolean isOfHost =
        switch (namespace) {
          case "net" -> SandboxConfigs.isInHostNetwork(pod);
          case "ipc" -> Boolean.TRUE.equals(pod.getSpec().getHostIPC());
          default -> false;
        };
    return isOfHost
        ? Optional.of("\"%s\" not allowed with host %s enabled".formatted(name, namespace))
        : Optional.empty();
  }

  private static boolean covers(String pattern, String name) {
    return pattern.endsWith("*")
        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
        : name.equals(pattern);
  }

  /// Whether the sysctl, or all sysctls with the prefix, are namespaced.
  public static boolean isOfPods(String pattern) {
    return !namespace(dotted(pattern.replaceFirst("\\*$", ""))).isEmpty();
  }

  /// The kernel namespace of a sysctl; empty when it has none.
  private static String namespace(String name) {
    boolean isIpc =
        name.equals("kernel.sem")
            || Stream.of("kernel.shm", "kernel.msg", "fs.mqueue.").anyMatch(name::startsWith);
    return isIpc ? "ipc" : name.startsWith("net.") ? "net" : "";
  }

  /// A name may use slashes as separators, and then have dots within its parts.
  private static String dotted(String name) {
    int first = name.replace('/', '.').indexOf('.');
    boolean isPath = first >= 0 && name.charAt(first) == '/';
    return isPath ? name.replace('.', '\0').replace('/', '.').replace('\0', '/') : name;
  }
}
