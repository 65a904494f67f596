package dev.berth.server.audit;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A bounded buffer of audit events, and the thread that writes them to the output.
///
/// A request never waits for the audit log: when the disk is slow and the buffer full, or when the
/// disk is full, events are dropped and counted. The first loss and the recovery are logged.
final class AuditLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);

  /// Bounds the buffer by number of events; {@link #maxBytes} bounds it by memory.
  private static final int MAX_EVENTS = 10_000;

  /// Events per write to the output: one system call for many events.
  private static final int GROUP_EVENTS = 500;

  /// Time limit for writing the rest of the buffer when the server stops.
  private static final Duration LAST_CHANCE = Duration.ofSeconds(5);

  private final AuditOutput output;
  private final Counter lost;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>(MAX_EVENTS);

  /// Bytes of the buffered events. Concurrent writers may exceed the limit by one event each.
  private final AtomicLong waitingBytes = new AtomicLong();

  /// Events dropped since the last successful write, for the message about the recovery.
  private final AtomicLong lostSinceGood = new AtomicLong();

  private final long maxBytes;
  private final Thread thread;
  private volatile boolean closed;

  private AuditLog(AuditOutput output, PrometheusRegistry registry) {
    this.output = output;
    this.maxBytes = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);
    this.lost =
        Counter.builder()
            .name("apiserver_audit_error_total")
            .help("Audit events that were lost, since the disk was full or too slow.")
            .labelNames("plugin")
            .register(registry);
    this.thread = Thread.ofPlatform().name("audit-log").daemon().unstarted(this::run);
  }

  static AuditLog start(AuditOutput output, PrometheusRegistry registry) {
    AuditLog started = new AuditLog(output, registry);
    started.thread.start();
    return started;
  }

  /// Never waits.
  void add(byte[] event) {
    if (waitingBytes.get() > maxBytes || !waiting.offer(event)) {
      lost(1, "the disk is slower than the requests, and the buffer is full");
      return;
    }
    waitingBytes.addAndGet(event.length);
  }

  private void run() {
    List<byte[]> group = new ArrayList<>();
    try {
      // After the end the rest of the buffer is still written.
      while (!closed || !waiting.isEmpty()) {
        byte[] first = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          waiting.drainTo(group, GROUP_EVENTS - 1);
          write(group);
          group.clear();
        }
      }
    } catch (InterruptedException _) {
      lost(waiting.size(), "the server ended before the disk took them");
    } finally {
      output.close();
    }
  }

  private void write(List<byte[]> group) {
    try {
      output.write(group);
      recovered();
    } catch (IOException e) {
      lost(group.size(), String.valueOf(e.getMessage()));
    } finally {
      group.forEach(event -> waitingBytes.addAndGet(-event.length));
    }
  }

  private void lost(int events, String why) {
    lost.labelValues("log").inc(events);
    if (events > 0 && lostSinceGood.getAndAdd(events) == 0) {
      log.error(
          "the server drops audit events, requests continue reason=\"{}\" remedy=\"free space, or use a faster"
              + " disk or a smaller policy\"",
          why);
    }
  }

  private void recovered() {
    long missing = lostSinceGood.get();
    // The message waits until the buffer has room again; otherwise loss and recovery would be
    // reported in turns.
    if (missing > 0 && waiting.size() < MAX_EVENTS / 2) {
      lostSinceGood.addAndGet(-missing);
      log.warn("the server writes audit events again lost={}", missing);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      if (!thread.join(LAST_CHANCE)) {
        thread.interrupt();
      }
    } catch (InterruptedException _) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
