package dev.berth.vm.images.layers;

/// Checks names that layers give to files.
final class EntryPaths {
  static final String WHITEOUT = ".wh.";
  static final String OPAQUE = ".wh..wh..opq";

  /// Marks of aufs that are no files, such as `.wh..wh.plnk`.
  static final String AUFS = ".wh..wh.";

  private static final int LONGEST_PATH = 4096;
  private static final int LONGEST_NAME = 255;

  private EntryPaths() {}

  /// Relative to the root, without empty parts and dots. An absolute name means the same file as
  /// without its slash; one with `..` is refused, because no honest tool writes it.
  static String clean(String name) throws LayerFormatException {
    if (name.length() > LONGEST_PATH) {
      throw new LayerFormatException(
          "the name %s has more than %d bytes".formatted(shown(name), LONGEST_PATH));
    }
    if (name.indexOf(0) >= 0) {
      throw new LayerFormatException("the name %s has a zero byte".formatted(shown(name)));
    }
    StringBuilder path = new StringBuilder(name.length());
    int start = 0;
    while (start <= name.length()) {
      int slash = name.indexOf('/', start);
      int end = slash < 0 ? name.length() : slash;
      String part = name.substring(start, end);
      check(part, name);
      if (!part.isEmpty() && !part.equals(".")) {
        path.append(path.isEmpty() ? "" : "/").append(part);
      }
      start = end + 1;
    }
    return path.toString();
  }

  /// A part of a path, or of the target of a link that it leads through.
  static void check(String part, String name) throws LayerFormatException {
    if (part.equals("..")) {
      throw new LayerFormatException("the name %s leads out with ..".formatted(shown(name)));
    }
    if (part.length() > LONGEST_NAME) {
      throw new LayerFormatException(
          "a part of the name %s has more than %d bytes".formatted(shown(name), LONGEST_NAME));
    }
  }

  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /// For a message: printable and short.
  static String shown(String name) {
    String printable = name.replaceAll("[^\\x20-\\x7e]", "?");
    return printable.length() <= 120 ? printable : printable.substring(0, 120) + "...";
  }
}
