package dev.berth.launch.agent;

import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.cgroups.CgroupMounts;
import dev.berth.agent.cgroups.CgroupTree;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.cgroups.SystemdCommands;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.config.CgroupSettings;
import dev.berth.api.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cgroups of a node's pods, as far as this machine supports them.
record PodGroups(CgroupSettings settings, PodCgroups cgroups) {
  private static final Logger log = LoggerFactory.getLogger(PodGroups.class);
  private static final String RECORD = "control-groups";

  /// The end of the record where systemd manages the cgroups; the path comes before it.
  private static final String SYSTEMD = "\nsystemd";

  private static final Quantity NOTHING = Quantity.ofMilli(0);
  private static final PodGroups NONE =
      new PodGroups(CgroupSettings.BY_THE_RUNTIME, PodCgroups.NONE);

  /// Opens the cgroups of pods, or none with a warning: a node without them still runs pods, only
  /// without limits of pods as a whole.
  ///
  /// @param areReal whether pods are processes of this machine
  static PodGroups open(PodSettings.Groups rules, boolean areReal, Size size, NodeOptions options) {
    if (!areReal) {
      return NONE;
    }
    try {
      CgroupMounts mounts = CgroupMounts.ofThisMachine();
      // Only cgroup v2 can kill all processes of a container together when it runs out of memory.
      return open(rules, mounts, mounts.isUnified() && !rules.singleKills(), all(size, options));
    } catch (IOException e) {
      return without(e.toString(), false);
    }
  }

  private static PodGroups open(
      PodSettings.Groups rules, CgroupMounts mounts, boolean killsTogether, CgroupLimits all) {
    if (!rules.wanted()) {
      return without(killsTogether);
    }
    if (rules.systemd() && !SystemdCommands.isRunning()) {
      return without("--cgroup-driver=systemd is set, but systemd does not run", killsTogether);
    }
    Optional<CgroupTree> found = kernel(mounts, rules.systemd());
    if (found.isEmpty()) {
      return without(
          "no cgroup hierarchy with the controllers cpu and memory is mounted", killsTogether);
    }
    try {
      return new PodGroups(
          new CgroupSettings(rules.parent(), rules.systemd(), killsTogether),
          PodCgroups.open(found.get(), rules.parent(), all));
    } catch (IOException e) {
      return without(e.toString(), killsTogether);
    }
  }

  private static Optional<CgroupTree> kernel(CgroupMounts mounts, boolean systemd) {
    return systemd ? mounts.open(new SystemdCommands()) : mounts.open();
  }

  /// Records the cgroups, so that [#clear] finds them whatever the flags of a later start are.
  void remember(Path directory) throws IOException {
    Files.createDirectories(directory);
    if (!settings.parent().isEmpty()) {
      Files.writeString(
          directory.resolve(RECORD), settings.parent() + (settings.systemd() ? SYSTEMD : ""));
    }
  }

  /// Removes the cgroups of all pods that an agent has a directory of. Nothing may run in them.
  ///
  /// @param directory the agent's directory
  static void clear(Path directory) throws IOException {
    Path record = directory.resolve(RECORD);
    if (!Files.exists(record)) {
      return;
    }
    String text = Files.readString(record);
    Optional<CgroupTree> found = kernel(CgroupMounts.ofThisMachine(), text.endsWith(SYSTEMD));
    if (found.isEmpty()) {
      return;
    }
    List<String> uids = List.of();
    if (Files.isDirectory(directory.resolve("pods"))) {
      try (Stream<Path> pods = Files.list(directory.resolve("pods"))) {
        uids = pods.map(pod -> pod.getFileName().toString()).toList();
      }
    }
    PodCgroups.clear(found.get(), text.replace(SYSTEMD, ""), uids);
  }

  private static PodGroups without(String why, boolean killsTogether) {
    log.warn(
        "pods get no cgroups of their own, only containers have limits reason=\"{}\""
            + " remedy=\"make /sys/fs/cgroup writable, or set --cgroups-per-qos=false\"",
        why);
    return without(killsTogether);
  }

  /// No cgroups for pods: the runtime chooses the cgroups of containers.
  private static PodGroups without(boolean killsTogether) {
    return new PodGroups(new CgroupSettings("", false, killsTogether), PodCgroups.NONE);
  }

  /// The capacity of the node without the part that is reserved.
  private static CgroupLimits all(Size size, NodeOptions options) {
    long cpu = size.cpus() * 1000 - options.reserved().getOrDefault("cpu", NOTHING).milli();
    long memory = size.memory() - options.reserved().getOrDefault("memory", NOTHING).value();
    return new CgroupLimits(
        // A processor is 1024 shares; the kernel accepts 2 to 262144.
        Math.clamp(cpu * 1024 / 1000, CgroupLimits.SMALLEST_SHARES, CgroupLimits.LARGEST_SHARES),
        CgroupLimits.NO_LIMIT,
        Math.max(0, memory));
  }
}
