package dev.berth.server.kinds;

/// A kind that is answered and never stored, such as `TokenReview`; create is its only verb.
public record ReviewKind(
    String group, String version, String plural, String kind, boolean namespaced) {
  public String singular() {
    return plural.substring(0, plural.length() - 1);
  }

  public String apiVersion() {
    return group + "/" + version;
  }
}
