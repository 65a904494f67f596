package dev.berth.vm.machine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The way to the monitor of a running machine: connects when the connection is gone, and knows
/// what QEMU reported last.
final class MonitorLink {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration COMMAND = Duration.ofSeconds(20);

  private final Path socket;
  private final ProcessIdentity process;
  private final Runnable disconnected;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private @Nullable QemuMonitor monitor;

  private volatile boolean paused;
  private volatile String shutdown = "";

  /// @param disconnected called whenever a connection has ended
  MonitorLink(Path socket, ProcessIdentity process, Runnable disconnected) {
    this.socket = socket;
    this.process = process;
    this.disconnected = disconnected;
  }

  /// Takes a connection whose events came here from its beginning.
  void use(QemuMonitor connected) {
    lock.lock();
    try {
      monitor = connected;
    } finally {
      lock.unlock();
    }
  }

  void event(QemuMonitor.MonitorEvent event) {
    switch (event.name()) {
      case "STOP" -> paused = true;
      case "RESUME" -> paused = false;
      case "SHUTDOWN" -> shutdown = event.data().path("reason").asText();
      case "GUEST_PANICKED" -> shutdown = "guest-panic";
      default -> {
        // QEMU has many events, and none of the others matters here.
      }
    }
  }

  JsonNode execute(String command, Map<String, ?> arguments) throws IOException {
    return connected().execute(command, arguments, COMMAND);
  }

  /// Connects if need be, and learns whether the guest runs.
  QemuMonitor connected() throws IOException {
    lock.lock();
    try {
      QemuMonitor current = monitor;
      if (current != null && current.open()) {
        return current;
      }
      if (!process.alive()) {
        throw new MonitorException("the machine is gone");
      }
      QemuMonitor fresh =
          QemuMonitor.connect(socket, CONNECT, process::alive, this::event, disconnected);
      JsonNode status = fresh.execute("query-status", Map.of(), COMMAND);
      paused = !status.path("running").asBoolean();
      monitor = fresh;
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  boolean paused() {
    return paused;
  }

  /// The reason of QEMU's last `SHUTDOWN` event; empty if none came.
  String shutdown() {
    return shutdown;
  }

  void close() {
    lock.lock();
    try {
      if (monitor != null) {
        monitor.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
