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

/// What all image services together have on their disks.
///
/// @param room on the fullest of these disks; empty when none is to be found here
public record ImageStoreUsage(DiskUsage used, Optional<FreeDiskSpace> room) {
  public static ImageStoreUsage of(List<FilesystemUsage> all) {
    // A service that is registered twice tells the same twice.
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
      return Optional.empty(); // It is another one's disk, and may be gone by now.
    }
  }
}
