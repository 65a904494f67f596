package dev.berth.vm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The lock by which one process at a time uses a directory. The kernel releases it with the
/// process.
final class DirectoryClaim implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DirectoryClaim.class);

  private final FileChannel file;

  private DirectoryClaim(FileChannel file) {
    this.file = file;
  }

  static DirectoryClaim take(Path directory) throws IOException {
    FileChannel file =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean taken = false;
    try {
      taken = file.tryLock() != null;
      if (!taken) {
        throw new IOException("another process uses " + directory);
      }
      return new DirectoryClaim(file);
    } finally {
      if (!taken) {
        file.close();
      }
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      log.debug("lock not closed reason={}", e.toString());
    }
  }
}
