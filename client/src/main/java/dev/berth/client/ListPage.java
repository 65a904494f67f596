package dev.berth.client;

/// Which part of a list to fetch, and from which revision.
///
/// @param limit at most that many objects, 0 for all
/// @param continueToken from the previous part, empty for the first
/// @param resourceVersion empty for the newest state, `0` for whatever the server has at hand
public record ListPage(int limit, String continueToken, String resourceVersion) {
  public static final ListPage EVERYTHING = new ListPage(0, "", "");

  public static ListPage first(int limit) {
    return new ListPage(limit, "", "");
  }

  /// Everything, from a state not older than the given one.
  public static ListPage notOlderThan(String resourceVersion) {
    return new ListPage(0, "", resourceVersion);
  }

  public ListPage after(String token) {
    // The token says the revision; the server refuses to be told twice.
    return new ListPage(limit, token, "");
  }
}
