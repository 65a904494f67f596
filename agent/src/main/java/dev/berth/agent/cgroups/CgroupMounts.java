package dev.berth.agent.cgroups;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The control group hierarchies of this machine.
public record CgroupMounts(List<Mount> mounts) {
  private static final Path TABLE = Path.of("/proc/self/mounts");

  /// One hierarchy.
  record Mount(int version, Path place, Set<String> options) {
    Mount {
      options = Set.copyOf(options);
    }
  }

  public CgroupMounts {
    mounts = List.copyOf(mounts);
  }

  /// The hierarchies that this process sees.
  public static CgroupMounts ofThisMachine() throws IOException {
    return Files.exists(TABLE) ? parse(Files.readAllLines(TABLE)) : new CgroupMounts(List.of());
  }

  static CgroupMounts parse(List<String> lines) {
    return new CgroupMounts(lines.stream().flatMap(CgroupMounts::mount).toList());
  }

  private static Stream<Mount> mount(String line) {
    String[] fields = line.split(" ", -1);
    int version =
        fields.length < 4
            ? 0
            : fields[2].equals("cgroup") ? 1 : fields[2].equals("cgroup2") ? 2 : 0;
    return version == 0
        ? Stream.empty()
        : Stream.of(new Mount(version, Path.of(fields[1]), Set.of(fields[3].split(",", -1))));
  }

  /// Whether the controllers are in version 2, which can act on a group as a whole.
  public boolean isUnified() {
    return open().filter(CgroupsV2.class::isInstance).isPresent();
  }

  /// Opens the version that has the controllers: version 1 where both are mounted. Empty where
  /// there is none.
  public Optional<CgroupTree> open() {
    return CgroupsV1.of(mounts)
        .or(
            () ->
                mounts.stream()
                    .filter(mount -> mount.version() == 2)
                    .map(mount -> (CgroupTree) new CgroupsV2(mount.place()))
                    .findFirst());
  }

  /// The same with groups made by systemd.
  public Optional<CgroupTree> open(SystemdUnits systemd) {
    return open().map(files -> new SystemdCgroups(systemd, files, isUnified()));
  }
}
