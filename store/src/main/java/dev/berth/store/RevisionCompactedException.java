package dev.berth.store;

/// The history needed for the answer is compacted; the client has to list again and watch from the
/// list's revision (HTTP 410).
public final class RevisionCompactedException extends RuntimeException {
  private final long requested;
  private final long oldest;

  public RevisionCompactedException(long requested, long oldest) {
    super(
        "revision %d is compacted, history starts at %d; list again and continue from the list's revision"
            .formatted(requested, oldest));
    this.requested = requested;
    this.oldest = oldest;
  }

  public long requested() {
    return requested;
  }

  /// The oldest revision that can still be read or watched from.
  public long oldest() {
    return oldest;
  }
}
