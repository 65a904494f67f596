package dev.berth.store;

/// A value is larger than the store takes; nothing was written.
public final class ValueTooLargeException extends RuntimeException {
  private final int size;
  private final int limit;

  public ValueTooLargeException(String key, int size, int limit) {
    super("%s has %d bytes, at most %d can be stored".formatted(key, size, limit));
    this.size = size;
    this.limit = limit;
  }

  public int size() {
    return size;
  }

  public int limit() {
    return limit;
  }
}
