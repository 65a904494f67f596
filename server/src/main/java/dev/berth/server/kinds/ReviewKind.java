package dev.berth.server.kinds;

/// A kind that is answered and never stored, such as `TokenReview`; create is its only verb.
///
/// Such kinds are in discovery and OpenAPI, but have no objects, so they cannot be read or watched.
public record ReviewKind(
    String group, String version, String plural, String kind, boolean namespaced) {
  public String singular() {
    return plural.substring(0, plural.length() - 1);
  }

  public String apiVersion() {
    return group + "/" + version;
  }
}
