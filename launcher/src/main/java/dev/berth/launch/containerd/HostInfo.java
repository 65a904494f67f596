package dev.berth.launch.containerd;

import dev.berth.launch.containerd.programs.ProgramRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Properties of this machine that decide how containerd is configured.
///
/// @param mayLowerOomScore whether processes may be protected from the kernel's out-of-memory
///   killer
/// @param appArmor whether profiles can be loaded
/// @param unifiedMount where cgroup v2 is mounted in addition to cgroup v1; empty on machines that
///   have only one version
/// @param masquerade whether addresses of pods can be translated, which lets them out of the
///   machine
record HostInfo(
    boolean mayLowerOomScore, boolean appArmor, String unifiedMount, boolean masquerade) {
  /// The capability (number 24) without which a process cannot lower its OOM score. Containers in
  /// which Berth itself runs often lack it, and then every container start would fail.
  private static final int CAP_SYS_RESOURCE = 24;

  static HostInfo ofThisMachine() {
    return read(Path.of("/"), ProgramRunner.succeeds("iptables", "-t", "nat", "-S"));
  }

  static HostInfo read(Path root, boolean masquerade) {
    return new HostInfo(
        hasCapability(lines(root.resolve("proc/self/status")), CAP_SYS_RESOURCE),
        // The kernel may have AppArmor while the tools to load a profile are not installed.
        lines(root.resolve("sys/module/apparmor/parameters/enabled")).contains("Y")
            && Files.isExecutable(root.resolve("sbin/apparmor_parser")),
        unifiedMount(lines(root.resolve("proc/self/mounts"))),
        masquerade);
  }

  private static boolean hasCapability(List<String> status, int bit) {
    return status.stream()
        .filter(line -> line.startsWith("CapEff:"))
        .map(line -> Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16))
        .anyMatch(set -> (set >>> bit & 1) == 1);
  }

  /// Where cgroup v2 is mounted beside v1. In a line of `/proc/self/mounts`, device, place and type
  /// come first.
  private static String unifiedMount(List<String> mounts) {
    List<String[]> fields = mounts.stream().map(line -> line.split(" ", -1)).toList();
    boolean legacy = fields.stream().anyMatch(field -> field[2].equals("cgroup"));
    return fields.stream()
        .filter(field -> legacy && field[2].equals("cgroup2"))
        .map(field -> field[1])
        .findFirst()
        .orElse("");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
