package dev.berth.launch.process;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the process running until it receives a signal, then stops it in order and in bounded
/// time.
public final class ProcessLifetime {
  private static final Logger log = LoggerFactory.getLogger(ProcessLifetime.class);

  /// Bound of an orderly stop, below the 90 seconds after which systemd sends SIGKILL.
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  private ProcessLifetime() {}

  /// Does not return: SIGINT and SIGTERM end the process from here, with the exit codes that shells
  /// expect of them (130 and 143). Whoever has read the greeting may send them.
  public static void untilSignal(
      AutoCloseable running, PrintWriter out, String greeting, Supplier<String> farewell)
      throws InterruptedException {
    Thread end =
        new Thread(
            () -> {
              out.println(farewell.get());
              stop(running);
            },
            "shutdown");
    try {
      Runtime.getRuntime().addShutdownHook(end);
      out.print(greeting);
      out.flush();
    } catch (IllegalStateException _) {
      end.start(); // The signal arrived first: the process exits while components are still being
      // closed.
    }
    new CountDownLatch(1).await();
  }

  private static void stop(AutoCloseable running) {
    Thread closing = Thread.ofPlatform().name("closing").daemon().start(() -> close(running));
    try {
      if (!closing.join(STOP_LIMIT)) {
        log.warn("shutdown took too long limit={}; acknowledged writes are durable", STOP_LIMIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(AutoCloseable running) {
    try {
      running.close();
    } catch (Exception e) {
      log.warn("shutdown failed", e);
    }
  }
}
