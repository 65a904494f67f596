package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A QEMU that its guest took over may answer anything, or nothing.
@Timeout(120)
final class QemuMonitorIT {
  private static final String GREETING = "{\"QMP\":{}}\n{\"return\":{},\"id\":1}\n";
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir Path home;
  private ServerSocketChannel server;
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch disconnected = new CountDownLatch(1);

  @BeforeEach
  void listen() throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(home.resolve("qmp")), 1);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private void serve(String text) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                SocketChannel client = server.accept();
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                  client.write(bytes);
                }
              } catch (IOException ended) {
                events.add("ended");
              }
            });
  }

  private QemuMonitor connect(Duration limit) throws IOException {
    return QemuMonitor.connect(
        home.resolve("qmp"),
        limit,
        () -> true,
        event -> events.add(event.name()),
        disconnected::countDown);
  }

  @Test
  void eventsComeBetweenAnswers() throws IOException {
    serve(
        GREETING
            + "{\"event\":\"STOP\"}\n{\"return\":1,\"id\":77}\n{\"return\":{\"a\":5},\"id\":2}\n");
    try (QemuMonitor monitor = connect(LONG)) {
      assertThat(monitor.execute("query", Map.of(), LONG).path("a").asInt()).isEqualTo(5);
      assertThat(events).containsExactly("STOP");
    }
  }

  @Test
  void aRefusalIsQuoted() throws IOException {
    serve(GREETING + "{\"error\":{\"class\":\"X\",\"desc\":\"no such node\"},\"id\":2}\n");
    try (QemuMonitor monitor = connect(LONG)) {
      assertThatThrownBy(() -> monitor.execute("blockdev-del", Map.of(), LONG))
          .hasMessage("QEMU refused blockdev-del: no such node");
    }
  }

  @Test
  void aCommandThatIsNotAnsweredEndsTheConnection() throws Exception {
    serve(GREETING);
    try (QemuMonitor monitor = connect(LONG)) {
      assertThatThrownBy(() -> monitor.execute("stop", Map.of(), SHORT))
          .hasMessage("QEMU did not answer stop in time");
      assertThat(disconnected.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(monitor.open()).isFalse();
    }
  }

  @Test
  void anEndlessLineEndsTheConnection() throws Exception {
    serve(GREETING + "x".repeat(1 << 20));
    assertThatThrownBy(this::useUntilItEnds).isInstanceOf(MonitorException.class);
    assertThat(disconnected.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answersThatNobodyAskedForEndTheConnection() throws Exception {
    serve(GREETING + "{\"return\":{},\"id\":9}\n".repeat(100));
    assertThatThrownBy(this::useUntilItEnds).isInstanceOf(MonitorException.class);
    assertThat(disconnected.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private void useUntilItEnds() throws Exception {
    try (QemuMonitor monitor = connect(LONG)) {
      assertThat(disconnected.await(60, TimeUnit.SECONDS)).isTrue();
      monitor.execute("stop", Map.of(), LONG);
    }
  }

  @Test
  void aQemuThatTakesNoConnectionIsGivenUp() throws IOException {
    // The first ones wait in the socket's queue.
    for (int i = 0; i < 8; i++) {
      assertThatThrownBy(() -> connect(SHORT)).isInstanceOf(MonitorException.class);
    }
  }

  @Test
  void aProcessThatEndedIsNotWaitedFor() {
    assertThatThrownBy(
            () ->
                QemuMonitor.connect(
                    home.resolve("nothing"), LONG, () -> false, event -> {}, () -> {}))
        .hasMessage("QEMU ended while it started");
  }
}
