package dev.berth.server.defaults;

/// Finds the tag of an image name, by the grammar of image references.
///
/// The grammar decides whether a part is a host, a port or a tag: `localhost:5000/web` has no tag.
/// Upstream uses the same library as container runtimes; here only the question about `latest` is
/// needed.
final class ContainerImageName {
  /// Bounds of the grammar of image references (github.com/distribution/reference).
  private static final int MAX_TAG = 128;

  /// Limits of the grammar of image references (distribution/reference).
  private static final int MAX_NAME = 255;

  private static final int IDENTIFIER = 64;
  private static final int MIN_DIGEST = 32;

  private ContainerImageName() {}

  /// Whether the name means the tag `latest`, explicitly or without tag and digest.
  ///
  /// An invalid name has no tag.
  static boolean isLatest(String image) {
    int at = image.indexOf('@');
    String named = at < 0 ? image : image.substring(0, at);
    int colon = named.lastIndexOf(':');
    boolean tagged = colon > named.lastIndexOf('/');
    String repository = tagged ? named.substring(0, colon) : named;
    if (!isRepository(repository)
        || (tagged && !isTag(named.substring(colon + 1)))
        || (at >= 0 && !isDigest(image.substring(at + 1)))) {
      return false;
    }
    return tagged ? named.endsWith(":latest") : at < 0;
  }

  private static boolean isRepository(String name) {
    int slash = name.indexOf('/');
    boolean host = slash > 0 && isHost(name.substring(0, slash));
    String path = host ? name.substring(slash + 1) : name;
    boolean identifier = name.length() == IDENTIFIER && name.chars().allMatch(c -> isHex(c));
    if (name.length() > MAX_NAME || identifier) {
      return false;
    }
    for (String component : path.split("/", -1)) {
      if (!isComponent(component)) {
        return false;
      }
    }
    return true;
  }

  /// The part before the first slash is a host if it could not be a path component.
  private static boolean isHost(String text) {
    return text.indexOf('.') >= 0
        || text.indexOf(':') >= 0
        || text.equals("localhost")
        || text.chars().anyMatch(c -> c >= 'A' && c <= 'Z');
  }

  /// Lower case letters and digits, with `.`, `_`, `__` or hyphens between them.
  private static boolean isComponent(String text) {
    int length = text.length();
    if (length == 0 || !isLower(text.charAt(0)) || !isLower(text.charAt(length - 1))) {
      return false;
    }
    for (int i = 1; i < length; i++) {
      char c = text.charAt(i);
      char before = text.charAt(i - 1);
      boolean separates =
          c == '-' ? isLower(before) || before == '-' : (c == '.' || c == '_') && isLower(before);
      boolean doubled = c == '_' && before == '_' && i >= 2 && isLower(text.charAt(i - 2));
      if (!isLower(c) && !separates && !doubled) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTag(String tag) {
    return !tag.isEmpty()
        && tag.length() <= MAX_TAG
        && tag.charAt(0) != '.'
        && tag.charAt(0) != '-'
        && tag.chars().allMatch(c -> isWord(c) || c == '.' || c == '-');
  }

  private static boolean isDigest(String digest) {
    int colon = digest.indexOf(':');
    return colon > 0
        && digest.length() - colon > MIN_DIGEST
        && digest.chars().skip(colon + 1L).allMatch(c -> isHex(c) || (c >= 'A' && c <= 'F'));
  }

  private static boolean isWord(int c) {
    return isLower(c) || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isLower(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }

  private static boolean isHex(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }
}
