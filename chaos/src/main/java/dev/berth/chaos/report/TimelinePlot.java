package dev.berth.chaos.report;

import dev.berth.chaos.history.RunLog;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Plots faults as bars, with a row for each kind, and below them the acknowledged writes per
/// second. A reader sees whether writes went on, and when they came back.
final class TimelinePlot {
  private static final int LEFT = 130;
  private static final int WIDTH = 900;
  private static final int ROW = 18;
  private static final int CURVE = 80;
  private static final int GAP = 30;

  private final List<RunLog.FaultSpan> faults;
  private final List<RunLog.Sample> samples;
  private final double seconds;

  TimelinePlot(List<RunLog.FaultSpan> faults, List<RunLog.Sample> samples) {
    this.faults = faults;
    this.samples = samples;
    double last = faults.isEmpty() ? 0 : seconds(faults.getLast().to());
    double lastSample = samples.isEmpty() ? 0 : seconds(samples.getLast().at());
    this.seconds = Math.max(1, Math.max(last, lastSample));
  }

  String svg() {
    StringBuilder out = new StringBuilder();
    List<String> kinds = faults.stream().map(RunLog.FaultSpan::fault).distinct().sorted().toList();
    int top = GAP + kinds.size() * ROW;
    line(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        LEFT + WIDTH + 20,
        top + CURVE + 2 * GAP);
    line(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    for (int row = 0; row < kinds.size(); row++) {
      line(out, "<text x=\"4\" y=\"%d\">%s</text>", GAP + row * ROW + 12, kinds.get(row));
    }
    for (RunLog.FaultSpan fault : faults) {
      double x = x(fault.from());
      line(
          out,
          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#b3432b\"><title>%s:"
              + " %s</title></rect>",
          x,
          GAP + kinds.indexOf(fault.fault()) * ROW + 2,
          // A kill takes no time and must still be visible.
          Math.max(1.5, x(fault.to()) - x),
          ROW - 5,
          fault.arena(),
          fault.fault());
    }
    curve(out, top + GAP / 2);
    line(
        out,
        "<text x=\"%d\" y=\"%d\">0 s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f"
            + " s</text>",
        LEFT,
        top + CURVE + GAP + 10,
        LEFT + WIDTH,
        top + CURVE + GAP + 10,
        seconds);
    return out.append("</svg>\n").toString();
  }

  private void curve(StringBuilder out, int top) {
    double most = 1;
    for (int i = 1; i < samples.size(); i++) {
      most = Math.max(most, rate(i));
    }
    StringBuilder points = new StringBuilder();
    for (int i = 1; i < samples.size(); i++) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              x(samples.get(i).at()),
              top + CURVE - rate(i) / most * CURVE));
    }
    line(out, "<text x=\"4\" y=\"%d\">writes per second</text>", top + 12);
    line(out, "<text x=\"4\" y=\"%d\">(at most %.0f)</text>", top + 28, most);
    line(
        out,
        "<polyline points=\"%s\" fill=\"none\" stroke=\"#2b6cb3\"/>",
        points.toString().strip());
  }

  private double rate(int index) {
    RunLog.Sample before = samples.get(index - 1);
    RunLog.Sample now = samples.get(index);
    double passed = seconds(now.at()) - seconds(before.at());
    return passed <= 0 ? 0 : (now.writes() - before.writes()) / passed;
  }

  private double x(Duration at) {
    return LEFT + seconds(at) / seconds * WIDTH;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private static void line(StringBuilder out, String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
