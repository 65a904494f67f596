package dev.berth.server.http;

/// How many requests may be served at once; watches and other streams do not count.
///
/// @param readOnly 0 for any number
/// @param mutating 0 for any number
public record InflightLimits(int readOnly, int mutating) {
  /// Upstream's.
  public static final InflightLimits STANDARD = new InflightLimits(400, 200);

  public InflightLimits {
    if (readOnly < 0 || mutating < 0) {
      throw new IllegalArgumentException("numbers of requests must not be negative");
    }
  }
}
