package dev.berth.agent.pods;

import dev.berth.agent.pods.act.StartLimits;
import dev.berth.agent.pods.admission.AdmissionRules;
import dev.berth.agent.pods.config.DnsSettings;
import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.agent.pressure.PressureRules;
import java.nio.file.Path;
import java.util.Optional;

/// What an administrator decides about the pods of a node. The command line fills it, and it
/// reaches whoever acts on it as a whole: a new setting needs no station in between.
///
/// @param manifests a directory with manifests of static pods
/// @param admission what happens to pods that the node does not take
/// @param starts how many start calls a runtime service gets at once
/// @param pressure thresholds at which pods are evicted
/// @param processors which CPU controls containers get, on a Windows node
/// @param sysctls unsafe sysctls that pods may set, on a Linux node
public record PodSettings(
    Groups groups,
    DnsSettings dns,
    Optional<Path> manifests,
    AdmissionRules admission,
    StartLimits starts,
    PressureRules pressure,
    WindowsProcessors processors,
    AllowedSysctls sysctls,
    HousekeepingSettings housekeeping) {
  /// How cgroups are created.
  ///
  /// @param wanted whether pods get cgroups of their own
  /// @param root the cgroup under which pod cgroups are created
  /// @param systemd whether systemd creates them, as it does for the runtimes
  /// @param singleKills whether the kernel kills one process of a container that is out of memory
  ///   rather than all; with cgroup v1 it always kills one
  public record Groups(boolean wanted, String root, boolean systemd, boolean singleKills) {
    /// Beside the cgroups of a kubelet, which removes pod cgroups that it does not know.
    public static final Groups USUAL = new Groups(true, "/berth", false, false);

    /// Of a node whose pods get no cgroups of their own.
    public static final Groups UNWANTED = new Groups(false, "/berth", false, false);

    /// The parent of all pod cgroups.
    public String parent() {
      return root.replaceFirst("/+$", "") + "/kubepods";
    }
  }

  public static final PodSettings USUAL =
      new PodSettings(
          Groups.USUAL,
          DnsSettings.OF_THE_HOST,
          Optional.empty(),
          AdmissionRules.STANDARD,
          StartLimits.STANDARD,
          PressureRules.STANDARD,
          WindowsProcessors.ALL_CONTROLS,
          AllowedSysctls.ONLY_SAFE,
          HousekeepingSettings.USUAL);

  public PodSettings with(Groups other) {
    return new PodSettings(
        other, dns, manifests, admission, starts, pressure, processors, sysctls, housekeeping);
  }

  public PodSettings with(PressureRules other) {
    return new PodSettings(
        groups, dns, manifests, admission, starts, other, processors, sysctls, housekeeping);
  }

  public PodSettings with(HousekeepingSettings other) {
    return new PodSettings(
        groups, dns, manifests, admission, starts, pressure, processors, sysctls, other);
  }

  public PodSettings with(AdmissionRules other) {
    return new PodSettings(
        groups, dns, manifests, other, starts, pressure, processors, sysctls, housekeeping);
  }

  public PodSettings withManifests(Path directory) {
    return new PodSettings(
        groups,
        dns,
        Optional.of(directory),
        admission,
        starts,
        pressure,
        processors,
        sysctls,
        housekeeping);
  }
}
