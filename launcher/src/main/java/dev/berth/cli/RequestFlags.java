package dev.berth.cli;

import dev.berth.server.http.InflightLimits;
import java.util.List;
import picocli.CommandLine.Option;

/// Flags about the requests that a server takes at once, still as text.
final class RequestFlags {
  @Option(
      names = "--max-requests-inflight",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "Reading requests that are served at once, without watches and other streams; more are"
              + " told to come back. 0 for any number. Default: ${DEFAULT-VALUE}.")
  private String readOnly = "";

  @Option(
      names = "--max-mutating-requests-inflight",
      paramLabel = "N",
      defaultValue = "200",
      description =
          "Writing requests that are served at once. 0 for any number. Default: ${DEFAULT-VALUE}.")
  private String mutating = "";

  InflightLimits read(List<String> mistakes) {
    return new InflightLimits(
        number("--max-requests-inflight", readOnly, mistakes),
        number("--max-mutating-requests-inflight", mutating, mistakes));
  }

  private static int number(String flag, String text, List<String> mistakes) {
    if (text.matches("[0-9]{1,9}")) {
      return Integer.parseInt(text);
    }
    mistakes.add("%s=%s: must be a number, 0 for no limit".formatted(flag, text));
    return 0;
  }
}
