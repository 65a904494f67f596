package dev.berth.cli.controlplane;

import dev.berth.server.http.guard.InflightLimits;
import dev.berth.server.http.transport.HttpLimits;
import java.util.List;
import picocli.CommandLine.Option;

/// Flags about the requests that a server takes at once, still as text.
final class RequestFlags {
  @Option(
      names = "--max-requests-inflight",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "Reading requests that are served at once, without watches and other streams. 0 for any"
              + " number. With --enable-priority-and-fairness the sum with"
              + " --max-mutating-requests-inflight counts, for all requests together. Default:"
              + " ${DEFAULT-VALUE}.")
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

  @Option(
      names = "--enable-priority-and-fairness",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description =
          "Divide what is served at once between priority levels, users and namespaces; requests"
              + " over a share wait for their turn, 15 s at most. When false, requests over"
              + " --max-requests-inflight or --max-mutating-requests-inflight are refused at once,"
              + " with status 429. Default: ${DEFAULT-VALUE}.")
  private String fairness = "";

  HttpLimits readLimits(List<String> mistakes) {
    HttpLimits standard = HttpLimits.STANDARD;
    return perAddress.isEmpty()
        ? standard
        : standard.withPerAddress(number("--max-connections-per-address", perAddress, mistakes));
  }

  InflightLimits read(List<String> mistakes) {
    int reads = number("--max-requests-inflight", readOnly, mistakes);
    int writes = number("--max-mutating-requests-inflight", mutating, mistakes);
    boolean isFair = fairness.equals("true");
    if (!isFair && !fairness.equals("false")) {
      mistakes.add("--enable-priority-and-fairness=%s: must be true or false".formatted(fairness));
    }
    if (isFair && reads + writes == 0) {
      mistakes.add(
          ("--max-requests-inflight=%s and --max-mutating-requests-inflight=%s: the sum must be"
                  + " positive with --enable-priority-and-fairness, which divides it between users")
              .formatted(readOnly, mutating));
    }
    return new InflightLimits(reads, writes, isFair && reads + writes > 0);
  }

  private static int number(String flag, String text, List<String> mistakes) {
    if (text.matches("[0-9]{1,9}")) {
      return Integer.parseInt(text);
    }
    mistakes.add("%s=%s: must be a number, 0 for no limit".formatted(flag, text));
    return 0;
  }
}
