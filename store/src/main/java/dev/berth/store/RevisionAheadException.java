package dev.berth.store;

/// The requested revision is newer than the newest one of this store.
public final class RevisionAheadException extends RuntimeException {
  private final long requested;
  private final long newest;

  public RevisionAheadException(long requested, long newest) {
    super("revision %d is ahead of the newest one, %d".formatted(requested, newest));
    this.requested = requested;
    this.newest = newest;
  }

  public long requested() {
    return requested;
  }

  public long newest() {
    return newest;
  }
}
