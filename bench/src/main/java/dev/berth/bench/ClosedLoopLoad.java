package dev.berth.bench;

import java.io.IOException;

/// A closed-loop load: each connection sends its next request when it has read the last answer.
final class ClosedLoopLoad {
  private ClosedLoopLoad() {}

  /// @param perSecond answers per second over all connections
  /// @param serverMicros processor time of the server per request, over all its threads; more
  ///   meaningful than the rate when the machine has other work
  /// @param warmedSeconds the duration of the warm-up
  record Result(
      double perSecond,
      double p50Millis,
      double p99Millis,
      double serverMicros,
      double warmedSeconds) {}

  /// @param warmUp the maximum warm-up; a server in Java compiles itself under load, and requests
  ///   before that do not count
  record Times(int warmUp, int counted) {}

  /// The requests of a load.
  ///
  /// @param warming the requests of the warm-up
  record Requests(String counted, String warming, int connections) {
    static final Requests GET = new Requests("GET", "GET", 32);
    static final Requests LIST = new Requests("LIST", "LIST", 4);
    static final Requests POST = new Requests("POST", "CHURN", 32);
  }

  /// @param size the number of pods in the store
  static Result run(LoadedServer server, Requests requests, int size, Times seconds)
      throws IOException, InterruptedException {
    double warmed = warmUp(server, requests, size, seconds.warmUp());
    WrkClient.Order order =
        new WrkClient.Order(requests.counted(), requests.connections(), size, seconds.counted());
    long used = server.cpuMicros();
    try (WrkClient wrk = WrkClient.start(server, order)) {
      WrkClient.Answers answers = wrk.answers();
      used = server.cpuMicros() - used;
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

  private static double warmUp(LoadedServer server, Requests requests, int size, int atMostSeconds)
      throws IOException, InterruptedException {
    if (atMostSeconds == 0) {
      return 0;
    }
    WrkClient.Order order =
        new WrkClient.Order(requests.warming(), requests.connections(), size, atMostSeconds + 60);
    try (WrkClient _ = WrkClient.start(server, order)) {
      return WarmUp.await(server, atMostSeconds);
    }
  }
}
