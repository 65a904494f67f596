package dev.berth.client;

/// Which part of a list to fetch, and from which revision.
///
/// @param limit at most that many objects, 0 for all
/// @param continueToken from the previous part, empty for the first
/// @param resourceVersion empty for the newest state, `0` for whatever the server has at hand
public record Page(int limit, String continueToken, String resourceVersion) {
  public static final Page EVERYTHING = new Page(0, "", "");

  public static Page first(int limit) {
    return new Page(limit, "", "");
  }

  /// Everything, from a state not older than the given one.
  public static Page notOlderThan(String resourceVersion) {
    return new Page(0, "", resourceVersion);
  }

  public Page after(String token) {
    // The token says the revision; the server refuses to be told twice.
    return new Page(limit, token, "");
  }
}
