package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.DiskRoom;
import dev.berth.agent.volumes.DiskUse;
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
record StoreUse(DiskUse used, Optional<DiskRoom> room) {
  static StoreUse of(List<FilesystemUsage> all) {
    // A service that is registered twice tells the same twice.
    Map<String, DiskUse> places = new HashMap<>();
    all.forEach(
        one ->
            places.put(
                one.getFsId().getMountpoint(),
                new DiskUse(one.getUsedBytes().getValue(), one.getInodesUsed().getValue())));
    return new StoreUse(
        places.values().stream().reduce(DiskUse.NONE, DiskUse::plus),
        places.keySet().stream()
            .flatMap(place -> room(place).stream())
            .min(Comparator.comparingDouble(DiskRoom::partLeft)));
  }

  private static Optional<DiskRoom> room(String place) {
    Path folder = Path.of(place);
    try {
      return folder.isAbsolute() && Files.exists(folder)
          ? Optional.of(DiskRoom.of(folder))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty(); // It is another one's disk, and may be gone by now.
    }
  }
}
