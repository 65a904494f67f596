package dev.berth.server.auth.tokens;

import java.util.ArrayList;
import java.util.List;

/// Parses one line of comma-separated fields; a field in double quotes may contain commas.
///
/// Upstream reads the file with Go's CSV reader; this is the part of it that such files use.
final class CsvLine {
  private CsvLine() {}

  static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString().strip());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString().strip());
    return fields;
  }
}
