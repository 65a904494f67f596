package dev.berth.vm.images.tar;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The extended header before an entry: `length key=value` lines, whose values may hold anything.
final class PaxRecords {
  private static final String XATTR = "SCHILY.xattr.";
  private static final String SPARSE = "GNU.sparse.";
  private static final int NANO_DIGITS = 9;

  private final Map<String, String> values = new HashMap<>();

  /// @param content of the extended header
  void add(byte[] content) throws TarFormatException {
    int start = 0;
    while (start < content.length) {
      int end = end(content, start);
      int space = indexOf(content, ' ', start, end);
      int equals = indexOf(content, '=', space + 1, end);
      if (content[end - 1] != '\n') {
        throw broken();
      }
      put(text(content, space + 1, equals), text(content, equals + 1, end - 1));
      start = end;
    }
  }

  private void put(String key, String value) throws TarFormatException {
    if (key.isEmpty()) {
      throw broken();
    }
    if (key.startsWith(SPARSE)) {
      throw TarReader.sparse();
    }
    if (value.isEmpty() && !key.startsWith(XATTR)) {
      // An empty value takes an earlier one back.
      values.remove(key);
    } else {
      values.put(key, value);
    }
  }

  private static int end(byte[] content, int start) throws TarFormatException {
    int length = 0;
    for (int i = start; i < content.length && i - start <= 7; i++) {
      if (content[i] == ' ') {
        int end = start + length;
        if (i == start || end > content.length || end <= i + 1) {
          throw broken();
        }
        return end;
      }
      if (content[i] < '0' || content[i] > '9') {
        throw broken();
      }
      length = length * 10 + content[i] - '0';
    }
    throw broken();
  }

  private static int indexOf(byte[] content, char wanted, int from, int to)
      throws TarFormatException {
    for (int i = from; i < to; i++) {
      if (content[i] == wanted) {
        return i;
      }
    }
    throw broken();
  }

  private static String text(byte[] content, int from, int to) {
    return new String(content, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static TarFormatException broken() {
    return new TarFormatException("an extended header of the tar file is broken");
  }

  @Nullable String path() {
    return values.get("path");
  }

  @Nullable String linkPath() {
    return values.get("linkpath");
  }

  /// @param usual what the header itself says
  long number(String key, long usual) throws TarFormatException {
    String value = values.get(key);
    if (value == null) {
      return usual;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException _) {
      throw new TarFormatException(
          "%s in an extended header of the tar file is not a number".formatted(key));
    }
  }

  /// Seconds and nanoseconds; the latter are never negative. Null when there is none.
  long @Nullable [] mtime() throws TarFormatException {
    String value = values.get("mtime");
    if (value == null) {
      return null;
    }
    if (!value.matches("-?[0-9]{1,18}(\\.[0-9]*)?")) {
      throw new TarFormatException("mtime in an extended header of the tar file is not a number");
    }
    int point = value.indexOf('.');
    long seconds = Long.parseLong(point < 0 ? value : value.substring(0, point));
    String fraction = point < 0 ? "" : value.substring(point + 1);
    long nanos = Long.parseLong((fraction + "0".repeat(NANO_DIGITS)).substring(0, NANO_DIGITS));
    if (value.startsWith("-") && nanos > 0) {
      return new long[] {seconds - 1, 1_000_000_000 - nanos};
    }
    return new long[] {seconds, nanos};
  }

  Map<String, byte[]> xattrs() {
    Map<String, byte[]> found = new HashMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(XATTR)) {
            found.put(key.substring(XATTR.length()), value.getBytes(StandardCharsets.ISO_8859_1));
          }
        });
    return found;
  }
}
