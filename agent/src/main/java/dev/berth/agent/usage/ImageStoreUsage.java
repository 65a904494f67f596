package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import dev.berth.cri.v1.FilesystemUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The disk usage of all image services.
///
/// @param room on the fullest of their disks; empty when none is on this machine
public record ImageStoreUsage(DiskUsage used, Optional<FreeDiskSpace> room) {
  public static ImageStoreUsage of(List<FilesystemUsage> all) {
    // Services that share a store report the same mount point; it counts once.
    Map<String, DiskUsage> places = new HashMap<>();
    all.forEach(
        one ->
            places.put(
                one.getFsId().getMountpoint(),
                new DiskUsage(one.getUsedBytes().getValue(), one.getInodesUsed().getValue())));
    return new ImageStoreUsage(
        places.values().stream().reduce(DiskUsage.NONE, DiskUsage::plus),
        places.keySet().stream()
            .flatMap(place -> room(place).stream())
            .min(Comparator.comparingDouble(FreeDiskSpace::partLeft)));
  }

  private static Optional<FreeDiskSpace> room(String place) {
    Path directory = Path.of(place);
    try {
      return directory.isAbsolute() && Files.exists(directory)
          ? Optional.of(FreeDiskSpace.of(directory))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty(); // The store may be on another machine, or gone.
    }
  }
}
