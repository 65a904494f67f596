package dev.berth.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// A closed loop: each of N connections sends its next request when it has read the last answer.
final class Load {
  private Load() {}

  /// One request of one connection.
  interface Request {
    void send(TlsClient client, int connection, long number) throws IOException;
  }

  /// @param perSecond answers per second over all connections
  /// @param serverMicros processor time that the server spent per request, all its threads; it says
  ///   more than the rate when the machine has other work
  /// @param warmedSeconds for how long the load was there before
  record Result(
      double perSecond,
      double p50Millis,
      double p99Millis,
      double serverMicros,
      double warmedSeconds) {}

  /// @param warmUp at most; a server in Java compiles itself while it works, and what comes before
  ///   it has done so is not counted
  record Times(int warmUp, int counted) {}

  static Result run(Loaded server, int connections, Times seconds, Request request)
      throws IOException, InterruptedException {
    return run(server, connections, seconds, request, request);
  }

  static Result run(Loaded server, int connections, Times seconds, Request warming, Request request)
      throws IOException, InterruptedException {
    Credentials credentials = server.credentials();
    Phase phase = new Phase();
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Future<long[]>> running = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        int connection = i;
        running.add(threads.submit(() -> loop(credentials, connection, phase, warming, request)));
      }
      long used;
      double warmed;
      try {
        warmed = WarmUp.await(server, seconds.warmUp());
        phase.isCounted = true;
        used = server.cpuMicros();
        TimeUnit.SECONDS.sleep(seconds.counted());
        used = server.cpuMicros() - used;
      } finally {
        phase.isOver = true;
      }
      List<long[]> times = new ArrayList<>();
      for (Future<long[]> one : running) {
        times.add(one.get());
      }
      return summary(times, seconds.counted(), used, warmed);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a connection failed", e.getCause());
    }
  }

  /// Told by one thread to all others.
  private static final class Phase {
    volatile boolean isCounted;
    volatile boolean isOver;
  }

  private static long[] loop(
      Credentials credentials, int connection, Phase phase, Request warming, Request request) {
    long[] times = new long[1 << 12];
    int used = 0;
    try (TlsClient client = TlsClient.open(credentials)) {
      for (long number = 0; !phase.isOver; number++) {
        boolean counted = phase.isCounted;
        long begun = System.nanoTime();
        (counted ? request : warming).send(client, connection, number);
        if (counted) {
          if (used == times.length) {
            times = Arrays.copyOf(times, used * 2);
          }
          times[used++] = System.nanoTime() - begun;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Arrays.copyOf(times, used);
  }

  private static Result summary(List<long[]> times, int seconds, long serverMicros, double warmed) {
    long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    if (all.length == 0) {
      return new Result(0, 0, 0, 0, warmed);
    }
    return new Result(
        (double) all.length / seconds,
        all[all.length / 2] / 1e6,
        all[(int) (all.length * 0.99)] / 1e6,
        (double) serverMicros / all.length,
        warmed);
  }
}
