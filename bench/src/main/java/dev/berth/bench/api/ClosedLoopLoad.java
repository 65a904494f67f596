package dev.berth.bench.api;

import dev.berth.bench.servers.LoadedServer;
import java.io.IOException;

/// A closed-loop load: each connection sends its next request when it has read the last answer.
///
/// The rate is then the maximum at this number of connections, and a slow server is not overloaded.
/// The quantiles leave out the time that a request would wait for a free connection, so that they
/// say nothing about an open load.
public final class ClosedLoopLoad {
  private ClosedLoopLoad() {}

  /// The figures of one load.
  ///
  /// @param perSecond answers per second over all connections
  /// @param serverMicros processor time of the server per request, over all its threads; more
  ///   meaningful than the rate when the machine has other work
  /// @param warmedSeconds the duration of the warm-up
  public record Result(
      double perSecond,
      double p50Millis,
      double p99Millis,
      double serverMicros,
      double warmedSeconds) {}

  /// Seconds.
  ///
  /// @param warmUp the maximum warm-up; a server in Java compiles itself under load, and requests
  ///   before that do not count
  public record Times(int warmUp, int counted) {}

  /// The requests of a load. A warm-up with POST would fill the store, so that it creates and
  /// deletes in turn (`CHURN`).
  ///
  /// @param warming the requests of the warm-up
  public record Requests(String counted, String warming, int connections) {
    static final Requests GET = new Requests("GET", "GET", 32);
    // Four connections: a LIST of 1,000 pods is about 3 MB, and more of them only queue at the
    // processor.
    static final Requests LIST = new Requests("LIST", "LIST", 4);
    static final Requests POST = new Requests("POST", "CHURN", 32);
  }

  /// Warms the server up and measures it.
  ///
  /// @param size the number of pods in the store
  public static Result run(LoadedServer server, Requests requests, int size, Times seconds)
      throws IOException, InterruptedException {
    double warmed = warmUp(server, requests, size, seconds.warmUp());
    WrkClient.Order order =
        new WrkClient.Order(requests.counted(), requests.connections(), size, seconds.counted());
    // The kernel counts in 10 ms, which is nothing against several seconds of load.
    long used = server.cpuMicros();
    try (WrkClient wrk = WrkClient.start(server, order)) {
      // The start and end of wrk are inside of the measured processor time, its rate is from its
      // own clock.
      WrkClient.Answers answers = wrk.answers();
      used = server.cpuMicros() - used;
      // Errors are fast: a rate with errors would flatter the server.
      if (answers.failed() > 0 || answers.requests() == 0) {
        throw new IOException("of %s some failed: %s".formatted(requests.counted(), answers));
      }
      return new Result(
          answers.requests() / answers.seconds(),
          answers.p50Millis(),
          answers.p99Millis(),
          (double) used / answers.requests(),
          warmed);
    }
  }

  /// Puts the warm-up load on the server until its compilers rest; returns the seconds that took.
  private static double warmUp(LoadedServer server, Requests requests, int size, int atMostSeconds)
      throws IOException, InterruptedException {
    if (atMostSeconds == 0) {
      return 0;
    }
    WrkClient.Order order =
        // A minute longer than needed, because the warm-up ends by closing the client and not by
        // its time.
        new WrkClient.Order(requests.warming(), requests.connections(), size, atMostSeconds + 60);
    try (WrkClient _ = WrkClient.start(server, order)) {
      return WarmUp.await(server, atMostSeconds);
    }
  }
}
