package dev.berth.agent.images;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A disk that has images, and how full it is.
///
/// @param device what tells it from others
/// @param used and `capacity`: in bytes
record ImageDisk(Object device, long used, long capacity) {
  private static final Logger log = LoggerFactory.getLogger(ImageDisk.class);

  /// That of a folder; empty where it cannot be looked at from here.
  static Optional<ImageDisk> of(Path folder) {
    try {
      if (!Files.exists(folder)) {
        return Optional.empty();
      }
      FileStore store = Files.getFileStore(folder);
      long capacity = store.getTotalSpace();
      return Optional.of(
          new ImageDisk(
              Files.getAttribute(folder, "unix:dev"), capacity - store.getUsableSpace(), capacity));
    } catch (IOException e) {
      log.warn("disk of images cannot be looked at folder={}: {}", folder, e.toString());
      return Optional.empty();
    }
  }

  boolean isSame(ImageDisk other) {
    return device.equals(other.device);
  }
}
