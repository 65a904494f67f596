package dev.berth.store;

import java.nio.file.Path;

/// Another process uses the data folder; the message names it.
public final class DataDirLockedException extends RuntimeException {
  private final String holder;

  DataDirLockedException(Path folder, String holder) {
    super(
        "data folder %s is in use by process %s; stop that process or choose another folder"
            .formatted(folder, holder));
    this.holder = holder;
  }

  /// The process id, with the command where it is known.
  public String holder() {
    return holder;
  }
}
