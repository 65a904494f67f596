package dev.berth.launch.agent;

import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.config.DnsSettings;
import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.agent.pressure.PressureRules;
import java.nio.file.Path;
import java.util.Optional;

/// What the command line decides about the pods of a node.
///
/// @param manifests a directory with static pods
/// @param unresolved what becomes of a pod whose runtime class or handler is not there
/// @param pressure when pods have to go because the node is short of something
/// @param processors how limits of CPU are said, on a Windows node
/// @param sysctls which settings of the kernel pods may change, on a Linux node
public record PodSettings(
    Groups groups,
    DnsSettings dns,
    Optional<Path> manifests,
    UnresolvedPolicy unresolved,
    PressureRules pressure,
    WindowsProcessors processors,
    AllowedSysctls sysctls,
    HousekeepingSettings housekeeping) {
  /// How control groups are made.
  ///
  /// @param wanted whether pods get groups of their own
  /// @param root below which they are
  /// @param systemd whether systemd makes them, as it does for the runtimes
  /// @param singleKills whether only the process ends that has to for want of memory, not its whole
  ///   container; where control groups are of version 1, that is always so
  public record Groups(boolean wanted, String root, boolean systemd, boolean singleKills) {
    /// Beside those of a kubelet, which ends what it finds among its own and does not know.
    public static final Groups USUAL = new Groups(true, "/berth", false, false);

    /// Of a node whose pods get no groups of their own.
    public static final Groups UNWANTED = new Groups(false, "/berth", false, false);

    /// The parent of all pods.
    String parent() {
      return root.replaceFirst("/+$", "") + "/kubepods";
    }
  }

  public static final PodSettings USUAL =
      new PodSettings(
          Groups.USUAL,
          DnsSettings.OF_THE_HOST,
          Optional.empty(),
          UnresolvedPolicy.FAIL_MISSING_CLASS,
          PressureRules.STANDARD,
          WindowsProcessors.ALL_CONTROLS,
          AllowedSysctls.ONLY_SAFE,
          HousekeepingSettings.USUAL);

  public PodSettings with(Groups other) {
    return new PodSettings(
        other, dns, manifests, unresolved, pressure, processors, sysctls, housekeeping);
  }

  public PodSettings with(PressureRules other) {
    return new PodSettings(
        groups, dns, manifests, unresolved, other, processors, sysctls, housekeeping);
  }

  public PodSettings with(HousekeepingSettings other) {
    return new PodSettings(
        groups, dns, manifests, unresolved, pressure, processors, sysctls, other);
  }

  public PodSettings with(UnresolvedPolicy other) {
    return new PodSettings(
        groups, dns, manifests, other, pressure, processors, sysctls, housekeeping);
  }

  public PodSettings withManifests(Path directory) {
    return new PodSettings(
        groups,
        dns,
        Optional.of(directory),
        unresolved,
        pressure,
        processors,
        sysctls,
        housekeeping);
  }
}
