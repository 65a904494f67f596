package dev.berth.server.hostile;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.berth.server.TestServer;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/// What the server holds at the moment.
final class Gauges {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestServer server;
  private final HttpClient client;
  private final Path folder;

  Gauges(TestServer server, HttpClient client, Path folder) {
    this.server = server;
    this.client = client;
    this.folder = folder;
  }

  /// Watches that are open, as `/metrics` tells.
  long watches() {
    try {
      return Requests.get(client, server, "/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith("apiserver_longrunning_requests{"))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Virtual threads that serve requests.
  long requestThreads() {
    Path dump = folder.resolve("threads-" + System.nanoTime());
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(
              dump.toAbsolutePath().toString(),
              HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      try (var lines = Files.lines(dump)) {
        return lines.filter(line -> line.startsWith("#") && line.contains("\"request-")).count();
      } finally {
        Files.delete(dump);
      }
    } catch (IOException e) {
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
