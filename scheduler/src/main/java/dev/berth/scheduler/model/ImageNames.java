package dev.berth.scheduler.model;

/// Image names as nodes report them.
final class ImageNames {
  private ImageNames() {}

  /// Adds the tag that a name without tag or digest stands for.
  static String normal(String image) {
    boolean tagged = image.indexOf(':', image.lastIndexOf('/') + 1) >= 0;
    return image.isEmpty() || tagged || image.contains("@") ? image : image + ":latest";
  }
}
