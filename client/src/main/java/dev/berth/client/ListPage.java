package dev.berth.client;

/// The page of a list to fetch, and its revision.
///
/// @param limit maximum number of objects, 0 for all
/// @param continueToken from the previous page, empty for the first
/// @param resourceVersion empty for the newest state, `0` for any state that the server has cached
public record ListPage(int limit, String continueToken, String resourceVersion) {
  public static final ListPage EVERYTHING = new ListPage(0, "", "");

  public static ListPage first(int limit) {
    return new ListPage(limit, "", "");
  }

  /// Asks for all objects, from a state that is not older than the given one.
  public static ListPage notOlderThan(String resourceVersion) {
    return new ListPage(0, "", resourceVersion);
  }

  public ListPage after(String token) {
    // The token contains the revision; the server refuses a request with both.
    return new ListPage(limit, token, "");
  }
}
