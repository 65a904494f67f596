package dev.berth.launch.reports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;

/// The result of a command: a table for persons, and a document for programs.
///
/// @param headline the line above the table; empty for none
/// @param columns the columns of the table; those after `narrow` appear in wide tables only
public record CommandReport(
    String headline, List<String> columns, int narrow, List<List<String>> rows, JsonNode document) {
  private static final JsonMapper MAPPER = new JsonMapper();

  public CommandReport {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /// The table, with columns as wide as their widest cell, as kubectl prints them.
  public String table(boolean wide) {
    int shown = wide ? columns.size() : Math.min(narrow, columns.size());
    int[] widths = new int[shown];
    for (int i = 0; i < shown; i++) {
      int column = i;
      widths[i] =
          Math.max(
              columns.get(i).length(),
              rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
    StringBuilder text = new StringBuilder(headline.isEmpty() ? "" : headline + "\n\n");
    line(text, columns, widths);
    rows.forEach(row -> line(text, row, widths));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(cells.get(i));
      line.repeat(' ', widths[i] - cells.get(i).length() + 3);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }
}
