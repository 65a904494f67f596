package dev.berth.vm.machine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection to the monitor of a QEMU (QMP). Commands go one at a time, and each has a
/// deadline; a connection that missed one is closed, because later answers would not fit.
public final class QemuMonitor implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final SocketChannel channel;
  private final Consumer<MonitorEvent> events;
  private final Runnable disconnected;
  private final BlockingQueue<JsonNode> answers = new ArrayBlockingQueue<>(4);

  /// Guards the order of commands; the reader never takes it.
  private final ReentrantLock commands = new ReentrantLock();

  private int lastId;

  private QemuMonitor(SocketChannel channel, Consumer<MonitorEvent> events, Runnable disconnected) {
    this.channel = channel;
    this.events = events;
    this.disconnected = disconnected;
  }

  /// What QEMU reports by itself.
  ///
  /// @param name such as `SHUTDOWN`
  public record MonitorEvent(String name, JsonNode data) {}

  /// Connects, which waits while the socket does not exist or QEMU still starts.
  ///
  /// @param alive whether waiting makes sense
  /// @param events called on the thread that reads; must not send commands
  /// @param disconnected called once when the connection has ended
  public static QemuMonitor connect(
      Path socket,
      Duration limit,
      BooleanSupplier alive,
      Consumer<MonitorEvent> events,
      Runnable disconnected)
      throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    SocketChannel channel = open(socket, deadline, alive);
    QemuMonitor monitor = new QemuMonitor(channel, events, disconnected);
    try {
      monitor.startReading();
      monitor.greeting(deadline, alive);
      monitor.execute("qmp_capabilities", Map.of(), remaining(deadline));
      return monitor;
    } catch (IOException | RuntimeException failure) {
      monitor.close();
      throw failure;
    }
  }

  private static SocketChannel open(Path socket, long deadline, BooleanSupplier alive)
      throws IOException {
    while (true) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        // A QEMU that takes no connections must not hold its caller: connecting never waits.
        channel.configureBlocking(false);
        if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
          throw new MonitorException("QEMU takes no further connection");
        }
        channel.configureBlocking(true);
        return channel;
      } catch (IOException notYet) {
        channel.close();
        if (!alive.getAsBoolean()) {
          throw new MonitorException("QEMU ended while it started", notYet);
        }
        if (System.nanoTime() > deadline) {
          throw new MonitorException("no monitor at %s: %s".formatted(socket, notYet), notYet);
        }
      }
      LockSupport.parkNanos(500_000);
    }
  }

  private void greeting(long deadline, BooleanSupplier alive) throws IOException {
    @Nullable JsonNode greeting = null;
    while (greeting == null) {
      greeting = poll(Duration.ofMillis(50));
      if (greeting == null && !alive.getAsBoolean()) {
        throw new MonitorException("QEMU ended while it started");
      }
      if (greeting == null && System.nanoTime() > deadline) {
        throw new MonitorException("QEMU's monitor did not answer in time");
      }
    }
    if (!greeting.has("QMP")) {
      throw new MonitorException("the monitor answered " + shortened(greeting));
    }
  }

  private void startReading() {
    Thread.ofVirtual().name("vm-monitor").start(this::read);
  }

  private void read() {
    MonitorReader reader = new MonitorReader(channel);
    try {
      while (true) {
        JsonNode message = JSON.readTree(reader.line());
        if (message.has("event")) {
          events.accept(new MonitorEvent(message.path("event").asText(), message.path("data")));
        } else if (!answers.offer(message)) {
          throw new MonitorException("QEMU sent answers that nobody asked for");
        }
      }
    } catch (IOException ended) {
      // The waiting caller sees the closed channel.
    } finally {
      close();
      disconnected.run();
    }
  }

  /// Sends a command and returns its result.
  ///
  /// @throws MonitorException with QEMU's own words when it refuses
  public JsonNode execute(String command, Map<String, ?> arguments, Duration limit)
      throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    if (!acquire(limit)) {
      throw new MonitorException("QEMU is busy with another command for " + limit);
    }
    try {
      int id = ++lastId;
      ObjectNode request = JSON.createObjectNode().put("execute", command).put("id", id);
      request.set("arguments", JSON.valueToTree(arguments));
      send(request);
      JsonNode answer = answer(id, command, deadline);
      if (answer.has("error")) {
        String why = answer.path("error").path("desc").asText();
        throw new MonitorException("QEMU refused %s: %s".formatted(command, why));
      }
      return answer.path("return");
    } finally {
      commands.unlock();
    }
  }

  private boolean acquire(Duration limit) throws MonitorException {
    try {
      return commands.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MonitorException("interrupted", interrupted);
    }
  }

  /// Never blocks for long: at most one command is unread, and the socket's buffer takes it.
  private void send(JsonNode request) throws IOException {
    String text;
    try {
      text = JSON.writeValueAsString(request) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (ClosedChannelException closed) {
      throw new MonitorException("QEMU ended, or closed its monitor", closed);
    }
  }

  private JsonNode answer(int id, String command, long deadline) throws IOException {
    while (true) {
      JsonNode answer = poll(min(remaining(deadline), Duration.ofMillis(100)));
      if (answer != null && answer.path("id").asInt(-1) == id) {
        return answer;
      }
      if (answer == null && !channel.isOpen()) {
        throw new MonitorException("QEMU ended, or closed its monitor, during " + command);
      }
      if (System.nanoTime() >= deadline) {
        close();
        throw new MonitorException("QEMU did not answer %s in time".formatted(command));
      }
    }
  }

  private @Nullable JsonNode poll(Duration limit) throws MonitorException {
    try {
      return answers.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MonitorException("interrupted", interrupted);
    }
  }

  private static String shortened(JsonNode node) {
    String text = node.toString();
    return text.length() > 200 ? text.substring(0, 200) + "..." : text;
  }

  private static Duration remaining(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  public boolean open() {
    return channel.isOpen();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // There is nothing left to close.
    }
  }
}
