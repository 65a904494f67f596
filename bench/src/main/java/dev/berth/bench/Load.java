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
  record Result(double perSecond, double p50Millis, double p99Millis, double serverMicros) {}

  /// @param warmUp a server in Java compiles itself while it works: what comes before it is done is
  ///   not counted
  record Times(int warmUp, int counted) {}

  static Result run(Loaded server, int connections, Times seconds, Request request)
      throws IOException, InterruptedException {
    return run(server, connections, seconds, request, request);
  }

  static Result run(Loaded server, int connections, Times seconds, Request warming, Request request)
      throws IOException, InterruptedException {
    Credentials credentials = server.credentials();
    long counted = System.nanoTime() + seconds.warmUp() * 1_000_000_000L;
    long end = counted + seconds.counted() * 1_000_000_000L;
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Future<long[]>> running = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        int connection = i;
        running.add(
            threads.submit(() -> loop(credentials, connection, counted, end, warming, request)));
      }
      TimeUnit.NANOSECONDS.sleep(counted - System.nanoTime());
      long used = server.cpuMicros();
      TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
      used = server.cpuMicros() - used;
      List<long[]> times = new ArrayList<>();
      for (Future<long[]> one : running) {
        times.add(one.get());
      }
      return summary(times, seconds.counted(), used);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a connection failed", e.getCause());
    }
  }

  private static long[] loop(
      Credentials credentials,
      int connection,
      long counted,
      long end,
      Request warming,
      Request request) {
    long[] times = new long[1 << 12];
    int used = 0;
    try (TlsClient client = TlsClient.open(credentials)) {
      long number = 0;
      for (long now = System.nanoTime(); now < end; ) {
        (now < counted ? warming : request).send(client, connection, number++);
        long done = System.nanoTime();
        if (now >= counted) {
          if (used == times.length) {
            times = Arrays.copyOf(times, used * 2);
          }
          times[used++] = done - now;
        }
        now = done;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Arrays.copyOf(times, used);
  }

  private static Result summary(List<long[]> times, int seconds, long serverMicros) {
    long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    if (all.length == 0) {
      return new Result(0, 0, 0, 0);
    }
    return new Result(
        (double) all.length / seconds,
        all[all.length / 2] / 1e6,
        all[(int) (all.length * 0.99)] / 1e6,
        (double) serverMicros / all.length);
  }
}
