package dev.berth.server.podsecurity;

import static dev.berth.server.podsecurity.PolicyLevel.BASELINE;
import static dev.berth.server.podsecurity.PolicyLevel.RESTRICTED;

import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All controls of the Pod Security Standards with the versions that changed them, as of Kubernetes
/// 1.35, ordered by id like upstream's messages.
///
/// A namespace may pin the version of its policy, so old forms of a control stay. A change of a
/// control adds a line with its version and never changes an older one.
final class PolicyChecks {
  private static final Set<String> SELINUX_TYPES =
      Set.of("container_t", "container_init_t", "container_kvm_t");
  private static final Set<String> SYSCTLS =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start");
  private static final Set<String> SYSCTLS_27 = with(SYSCTLS, "net.ipv4.ip_local_reserved_ports");
  private static final Set<String> SYSCTLS_29 =
      with(
          SYSCTLS_27,
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes");
  private static final Set<String> SYSCTLS_32 =
      with(SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");

  static final List<Control> ALL =
      List.of(
          baseline("appArmorProfile", 0, ProfileChecks::appArmor),
          baseline("capabilities_baseline", 0, PrivilegeChecks::addedCapabilities),
          baseline("hostNamespaces", 0, HostChecks::namespaces),
          baseline("hostPathVolumes", 0, HostChecks::pathVolumes),
          baseline("hostPorts", 0, HostChecks::ports),
          baseline("hostProbesAndHostLifecycle", 34, HostChecks::probesAndHooks),
          baseline("privileged", 0, PrivilegeChecks::privileged),
          baseline("procMount", 0, PrivilegeChecks::procMount)
              .since(35, exceptInUserNamespace(PrivilegeChecks::procMount)),
          baseline("seLinuxOptions", 0, ProfileChecks.seLinux(SELINUX_TYPES))
              .since(31, ProfileChecks.seLinux(with(SELINUX_TYPES, "container_engine_t"))),
          baseline("seccompProfile_baseline", 0, ProfileChecks::seccompAnnotations)
              .since(19, ProfileChecks::seccompFields),
          baseline("sysctls", 0, ProfileChecks.sysctls(SYSCTLS))
              .since(27, ProfileChecks.sysctls(SYSCTLS_27))
              .since(29, ProfileChecks.sysctls(SYSCTLS_29))
              .since(32, ProfileChecks.sysctls(SYSCTLS_32)),
          baseline("windowsHostProcess", 0, HostChecks::windowsHostProcess),
          restricted("allowPrivilegeEscalation", 8, PrivilegeChecks::escalation, "")
              .since(25, exceptOnWindows(PrivilegeChecks::escalation)),
          restricted(
                  "capabilities_restricted",
                  22,
                  PrivilegeChecks::restrictedCapabilities,
                  "capabilities_baseline")
              .since(25, exceptOnWindows(PrivilegeChecks::restrictedCapabilities)),
          restricted("procMount_restricted", 35, PrivilegeChecks::procMount, "procMount"),
          restricted("restrictedVolumes", 0, VolumeChecks::restricted, "hostPathVolumes"),
          restricted("runAsNonRoot", 0, PrivilegeChecks::runAsNonRoot, "")
              .since(35, exceptInUserNamespace(PrivilegeChecks::runAsNonRoot)),
          restricted("runAsUser", 23, PrivilegeChecks::runAsUser, "")
              .since(35, exceptInUserNamespace(PrivilegeChecks::runAsUser)),
          restricted(
                  "seccompProfile_restricted",
                  19,
                  ProfileChecks::seccompRequired,
                  "seccompProfile_baseline")
              .since(25, exceptOnWindows(ProfileChecks::seccompRequired)));

  private PolicyChecks() {}

  /// A control of the standards: its checks by the minor version that introduced them.
  ///
  /// @param overrides the id of the baseline control that it replaces; "" for none
  record Control(
      String id, PolicyLevel level, String overrides, NavigableMap<Integer, PodCheck> versions) {
    Control since(int minor, PodCheck check) {
      NavigableMap<Integer, PodCheck> more = new TreeMap<>(versions);
      more.put(minor, check);
      return new Control(id, level, overrides, more);
    }

    /// Null in versions before the control.
    @Nullable PodCheck at(int minor) {
      var entry = versions.floorEntry(minor);
      return entry == null ? null : entry.getValue();
    }
  }

  private static Control baseline(String id, int minor, PodCheck check) {
    return new Control(id, BASELINE, "", new TreeMap<>()).since(minor, check);
  }

  private static Control restricted(String id, int minor, PodCheck check, String overrides) {
    return new Control(id, RESTRICTED, overrides, new TreeMap<>()).since(minor, check);
  }

  private static PodCheck exceptOnWindows(PodCheck check) {
    return check.exceptOnWindows();
  }

  private static PodCheck exceptInUserNamespace(PodCheck check) {
    return check.exceptInUserNamespace();
  }

  private static Set<String> with(Set<String> names, String... more) {
    Set<String> all = new HashSet<>(names);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }
}
