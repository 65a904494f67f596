package dev.berth.store;

import java.nio.file.Path;

/// Another process uses the data directory; the message names it.
public final class DataDirLockedException extends RuntimeException {
  private final String holder;

  DataDirLockedException(Path directory, String holder) {
    super(
        "data directory %s is in use by process %s; stop that process or choose another directory"
            .formatted(directory, holder));
    this.holder = holder;
  }

  /// The process id, with the command where it is known.
  public String holder() {
    return holder;
  }
}
