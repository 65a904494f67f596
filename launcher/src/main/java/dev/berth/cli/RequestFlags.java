package dev.berth.cli;

import dev.berth.server.http.HttpLimits;
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

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      defaultValue = "",
      description =
          "Connections from one source address (IPv6: one /64 network) that are open at once. Where"
              + " there would be more, idle ones without an authenticated user are closed first,"
              + " then idle ones; if all are in use, new ones are refused. 0 for no limit but that"
              + " of all connections. Default: half of all connections, which are limited by memory"
              + " and to half of the process's file descriptors, at most 20000.")
  private String perAddress = "";

  HttpLimits readLimits(List<String> mistakes) {
    HttpLimits standard = HttpLimits.STANDARD;
    return perAddress.isEmpty()
        ? standard
        : standard.withPerAddress(number("--max-connections-per-address", perAddress, mistakes));
  }

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
