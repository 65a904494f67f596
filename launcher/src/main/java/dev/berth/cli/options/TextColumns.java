package dev.berth.cli.options;

import java.util.ArrayList;
import java.util.List;

/// Formats rows as aligned columns.
public final class TextColumns {
  private TextColumns() {}

  public static List<String> align(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).repeat(" ", widths[i] - row.get(i).length() + 3);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
