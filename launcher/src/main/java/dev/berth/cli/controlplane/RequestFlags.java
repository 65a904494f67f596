package dev.berth.cli.controlplane;

import dev.berth.cli.options.OptionSection;
import dev.berth.server.http.guard.InflightLimits;
import dev.berth.server.http.transport.HttpLimits;
import java.util.List;
import picocli.CommandLine.Option;

/// Flags about limits of requests and connections, read as text and checked.
@OptionSection("Request limit")
final class RequestFlags {
  @Option(
      names = "--max-requests-inflight",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "Maximum number of non-mutating requests in flight, without watches and streams; 0"
              + " means no limit. Requests over the limit are rejected with status 429. With"
              + " --enable-priority-and-fairness, the sum of this limit and"
              + " --max-mutating-requests-inflight is the concurrency limit of all requests. Default:"
              + " ${DEFAULT-VALUE}.")
  private String readOnly = "";

  @Option(
      names = "--max-mutating-requests-inflight",
      paramLabel = "N",
      defaultValue = "200",
      description =
          "Maximum number of mutating requests in flight; 0 means no limit. Requests over the"
              + " limit are rejected with status 429. With --enable-priority-and-fairness, the limit"
              + " is part of the concurrency limit of all requests. Default: ${DEFAULT-VALUE}.")
  private String mutating = "";

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      defaultValue = "",
      description =
          "Maximum number of open connections per client IP address (IPv6: per /64 network); 0"
              + " means no limit per address. At the limit, idle connections are closed, first those"
              + " without an authenticated user; if all connections are in use, new connections are"
              + " refused. Default: half of all connections, whose number is limited by memory and to"
              + " half of the file descriptors of the process, at most 20000.")
  private String perAddress = "";

  @Option(
      names = "--enable-priority-and-fairness",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description =
          "Divide the concurrency limit between priority levels, users and namespaces; requests"
              + " over a share are queued for at most 15 seconds. If false, requests over"
              + " --max-requests-inflight or --max-mutating-requests-inflight are rejected with status"
              + " 429. Default: ${DEFAULT-VALUE}.")
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
