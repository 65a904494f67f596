package dev.berth.agent.images;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A disk with images, and its usage.
///
/// @param device identifies the disk
/// @param used and `capacity`: in bytes
record ImageDisk(Object device, long used, long capacity) {
  private static final Logger log = LoggerFactory.getLogger(ImageDisk.class);

  /// The disk of a directory; empty when it cannot be read from here.
  static Optional<ImageDisk> of(Path directory) {
    try {
      if (!Files.exists(directory)) {
        return Optional.empty();
      }
      FileStore store = Files.getFileStore(directory);
      long capacity = store.getTotalSpace();
      return Optional.of(
          new ImageDisk(
              Files.getAttribute(directory, "unix:dev"),
              capacity - store.getUsableSpace(),
              capacity));
    } catch (IOException e) {
      log.warn("image disk not readable directory={} reason={}", directory, e.toString());
      return Optional.empty();
    }
  }

  boolean isSame(ImageDisk other) {
    return device.equals(other.device);
  }
}
