package dev.berth.agent.images;

import java.util.regex.Pattern;

/// The name of an image: `[registry[:port]/]repository[:tag][@digest]`.
final class ImageName {
  private static final String PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  private static final String HOST =
      "(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
  private static final Pattern SYNTAX =
      Pattern.compile(
          "^(?:(?<host>"
              + HOST
              + ")/)?(?<path>"
              + PART
              + "(?:/"
              + PART
              + ")*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$");
  private static final String DEFAULT_REGISTRY = "docker.io";

  private ImageName() {}

  static boolean isValid(String name) {
    return SYNTAX.matcher(name).matches();
  }

  /// Where the image comes from, with the repository: `docker.io/library/nginx`.
  static String repository(String name) {
    var matcher = SYNTAX.matcher(name);
    if (!matcher.matches()) {
      return name;
    }
    String host = matcher.group("host");
    String path = matcher.group("path");
    if (host == null || !(host.contains(".") || host.contains(":") || host.equals("localhost"))) {
      String inner = host == null ? path : host + "/" + path;
      return DEFAULT_REGISTRY + "/" + (inner.contains("/") ? inner : "library/" + inner);
    }
    return host + "/" + path;
  }
}
