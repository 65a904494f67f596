package dev.berth.bench.reports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Plots grouped bars on a logarithmic scale, each group with a line for the value of comparison.
/// The scale starts at 1; smaller values have no bar.
public final class SvgBars {
  private static final int HEIGHT = 300;
  private static final int BAR = 46;
  private static final int GAP = 60;
  private static final int LEFT = 60;
  private static final int TOP = 50;

  /// Powers of ten on the scale: values up to about 300,000.
  private static final double DECADES = 5.5;

  private static final List<String> COLOURS = List.of("#4c78a8", "#72b7b2", "#54a24b", "#b279a2");

  private final String title;
  private final Map<String, List<Bar>> groups = new LinkedHashMap<>();
  private final Map<String, Double> references = new LinkedHashMap<>();

  private record Bar(String label, double value) {}

  public SvgBars(String title) {
    this.title = title;
  }

  public void add(String group, double reference, String label, double value) {
    groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(new Bar(label, value));
    references.put(group, reference);
  }

  public String svg() {
    StringBuilder out = new StringBuilder();
    int x = LEFT;
    for (Map.Entry<String, List<Bar>> group : groups.entrySet()) {
      int start = x;
      List<Bar> bars = group.getValue();
      for (int i = 0; i < bars.size(); i++) {
        bar(out, x, bars.get(i), COLOURS.get(i % COLOURS.size()));
        x += BAR;
      }
      int y = y(references.getOrDefault(group.getKey(), 1.0));
      text(
          out,
          "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='#e45756' stroke-width='2' stroke-dasharray='5,4'/>",
          start - 6,
          y,
          x + 6,
          y);
      text(
          out,
          "<text x='%d' y='%d' text-anchor='middle' font-weight='bold'>%s</text>",
          (start + x) / 2,
          TOP + HEIGHT + 44,
          group.getKey());
      x += GAP;
    }
    return head(x) + out + "</svg>\n";
  }

  private String head(int width) {
    return String.format(
        Locale.ROOT,
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='11'>
        <rect width='100%%' height='100%%' fill='white'/><text x='%d' y='24' font-size='14'>%s</text>
        <line x1='%d' y1='%d' x2='%d' y2='%d' stroke='#333'/>
        """,
        width,
        TOP + HEIGHT + 60,
        LEFT - 20,
        title,
        LEFT - 20,
        TOP + HEIGHT,
        width - 20,
        TOP + HEIGHT);
  }

  private static void bar(StringBuilder out, int x, Bar bar, String colour) {
    int y = y(bar.value());
    text(
        out,
        "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>",
        x,
        y,
        BAR - 6,
        TOP + HEIGHT - y,
        colour);
    text(
        out,
        "<text x='%d' y='%d' text-anchor='middle'>%,.0f</text>",
        x + BAR / 2 - 3,
        y - 5,
        bar.value());
    text(
        out,
        "<text x='%d' y='%d' text-anchor='middle' font-size='9'>%s</text>",
        x + BAR / 2 - 3,
        TOP + HEIGHT + 14,
        bar.label().replace(" pods", ""));
  }

  private static int y(double value) {
    double share = Math.clamp(Math.log10(Math.max(1, value)) / DECADES, 0, 1);
    return TOP + HEIGHT - (int) Math.round(share * HEIGHT);
  }

  private static void text(StringBuilder out, String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
