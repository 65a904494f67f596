package dev.berth.scheduler.model;

/// Image names as nodes report them.
///
/// Nodes report the name as the runtime resolved it, pods have what the user wrote. Without one
/// form the image score would never match `nginx`.
final class ImageNames {
  private ImageNames() {}

  /// The full name with the registry, repository and tag that a short name stands for.
  static String normal(String image) {
    if (image.isEmpty()) {
      return image;
    }
    boolean tagged = image.indexOf(':', image.lastIndexOf('/') + 1) >= 0;
    String named = tagged || image.contains("@") ? image : image + ":latest";
    int slash = named.indexOf('/');
    if (slash < 0) {
      return "docker.io/library/" + named;
    }
    String first = named.substring(0, slash);
    boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
    return isHost ? named : "docker.io/" + named;
  }
}
