package dev.berth.server.hostile;

import dev.berth.server.TestServer;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/// What the server holds at the moment.
final class Gauges {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final TestServer server;
  private final HttpClient client;

  Gauges(TestServer server, HttpClient client) {
    this.server = server;
    this.client = client;
  }

  /// Watches that are open, as `/metrics` tells.
  long watches() {
    return metric("apiserver_longrunning_requests{");
  }

  /// Requests that are served or waited for, besides the one that asks.
  long requests() {
    return metric("berth_apiserver_served_requests ") - 1;
  }

  /// Requests that wait for their turn.
  long queued() {
    return metric("apiserver_flowcontrol_current_inqueue_requests{");
  }

  /// Requests of ordinary users that got seats.
  long dispatched() {
    return metric("apiserver_flowcontrol_dispatched_requests_total{flow_schema=\"global-default\"");
  }

  /// Seats that are taken.
  long seats() {
    return metric("apiserver_flowcontrol_current_executing_seats{");
  }

  private long metric(String start) {
    try {
      return Requests.get(client, server, "/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith(start))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// The status of an answer, as a number that can be waited for.
  static long code(HttpClient client, TestServer server, String path) {
    try {
      return Requests.get(client, server, path).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  long connections() {
    return server.connections();
  }

  /// Bytes that are reachable on the heap, and those of buffers outside of it.
  static long memory() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
  }

  /// One of the numbers above.
  interface Gauge {
    long read();
  }

  static void await(Gauge gauge, LongPredicate wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long value = gauge.read();
    while (!wanted.test(value)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it stayed at " + value);
      }
      LockSupport.parkNanos(50_000_000);
      value = gauge.read();
    }
  }
}
