package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.transport.HttpLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Watches whose events are messages of a WebSocket, for clients of good and of bad will.
class WatchOverWebSocketIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String UPGRADE =
      "GET "
          + CONFIG_MAPS
          + "?watch=1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  @TempDir Path directory;
  private TestServer server;
  private HttpClient client;
  private Gauges gauges;

  @BeforeEach
  void start() throws IOException {
    start(HttpLimits.STANDARD.idle(), HttpLimits.STANDARD.stall());
  }

  /// Limits are short only where a test is about them: on a busy machine every client is slow.
  private void restart(Duration idle, Duration stall) throws IOException {
    stop();
    start(idle, stall);
  }

  private void start(Duration idle, Duration stall) throws IOException {
    HttpLimits standard = HttpLimits.STANDARD;
    HttpLimits limits =
        new HttpLimits(
            1000,
            1000,
            10_000,
            idle,
            standard.header(),
            standard.body(),
            stall,
            standard.answer(),
            16 << 10,
            standard.backlog());
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
    client = server.admin();
    gauges = new Gauges(server, client);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  /// What a client receives: messages, pongs, and the end with its code.
  private static final class Received implements WebSocket.Listener {
    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        all.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
      all.add("pong of " + message.remaining());
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      all.add("binary " + (char) data.get(0) + (last ? "" : "..."));
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      all.add("end " + code);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      all.add("error " + error);
    }

    private String next() throws InterruptedException {
      return Objects.requireNonNull(all.poll(120, TimeUnit.SECONDS), "nothing came");
    }
  }

  private WebSocket watch(Received received, String query) {
    return client
        .newWebSocketBuilder()
        .buildAsync(
            URI.create(server.url().replace("https", "wss") + CONFIG_MAPS + query), received)
        .join();
  }

  private void write(String name, int size) throws IOException, InterruptedException {
    String body =
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"a\":\"%s\"}}"
            .formatted(name, "x".repeat(size));
    assertThat(Requests.post(client, server, CONFIG_MAPS, "application/json", body).statusCode())
        .isEqualTo(201);
  }

  private void delete(String name) throws IOException, InterruptedException {
    URI uri = URI.create(server.url() + CONFIG_MAPS + "/" + name);
    client.send(HttpRequest.newBuilder(uri).DELETE().build(), BodyHandlers.discarding());
  }

  @Test
  void eachEventIsOneMessage() throws Exception {
    write("first", 10);
    Received received = new Received();
    WebSocket socket = watch(received, "?watch=1");
    assertThat(received.next()).startsWith("{\"type\":\"ADDED\"").contains("\"name\":\"first\"");
    write("second", 200_000);
    assertThat(received.next()).startsWith("{\"type\":\"ADDED\"").contains("\"name\":\"second\"");
    delete("first");
    assertThat(received.next()).startsWith("{\"type\":\"DELETED\"").endsWith("}}\n");
    socket.sendPing(ByteBuffer.wrap(new byte[7])).join();
    assertThat(received.next()).isEqualTo("pong of 7");
    socket.sendText("nobody listens", true).join();
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    assertThat(received.next()).isEqualTo("end 1000");
    Gauges.await(gauges::watches, open -> open == 0);
  }

  @Test
  void aQuietOneStaysOpenAndEndsAfterItsTime() throws Exception {
    restart(Duration.ofSeconds(1), HttpLimits.STANDARD.stall());
    Received received = new Received();
    // Longer than a connection without a request may stay.
    watch(received, "?watch=1&timeoutSeconds=3");
    assertThat(received.next()).isEqualTo("end 1000");
  }

  @Test
  void protobufEventsAreBinaryMessages() throws Exception {
    write("first", 10);
    Received received = new Received();
    WebSocket socket =
        client
            .newWebSocketBuilder()
            .header("Accept", "application/vnd.kubernetes.protobuf;stream=watch")
            .buildAsync(
                URI.create(server.url().replace("https", "wss") + CONFIG_MAPS + "?watch=1"),
                received)
            .join();
    // The tag of an event's first field, its type.
    assertThat(received.next()).isEqualTo("binary \n");
    socket.abort();
  }

  @Test
  void aRequestThatMakesNoSenseIsRefusedBeforeTheSwitch() throws Exception {
    assertThat(raw(UPGRADE.replace("watch=1", "watch=1&labelSelector=%21%21") + "\r\n"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(raw(UPGRADE.replace("Version: 13", "Version: 12") + "\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("Sec-WebSocket-Version: 13");
    assertThat(raw(UPGRADE + "Origin: https://evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .contains("pages of https://evil.example may not open a WebSocket to this server");
    assertThat(raw(UPGRADE + "Origin: https://localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 101 ")
        .contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }

  private String raw(String request) throws IOException {
    try (RawConnection connection = RawConnection.tls(server)) {
      connection.send(request);
      String head = connection.readUntil("\r\n\r\n");
      return head.startsWith("HTTP/1.1 101 ") ? head : head + connection.readUntil("\"code\"");
    }
  }

  /// Each row: the close code of RFC 6455 section 7.4.1, and bytes that deserve it. `relay` has the
  /// longer table for the frames that nodes translate.
  private static final String MALFORMED =
      """
      1002  81 05 68 65 6c 6c 6f                              no mask
      1002  c1 81 00 00 00 00 61                              first reserved bit
      1002  a1 81 00 00 00 00 61                              second reserved bit
      1002  91 81 00 00 00 00 61                              third reserved bit
      1002  c9 80 00 00 00 00                                 reserved bit of a ping
      1002  83 80 00 00 00 00                                 unknown frame
      1009  82 ff ff ff ff ff ff ff ff ff 00 00 00 00         length with its highest bit
      1009  82 ff 00 00 00 01 00 00 00 00 00 00 00 00         length that nobody can send
      1002  80 81 00 00 00 00 61                              continuation of nothing
      1002  01 80 00 00 00 00 81 80 00 00 00 00               message within a message
      1002  09 80 00 00 00 00                                 ping in fragments
      1002  89 fe 00 7e 00 00 00 00 61                        ping of 126 bytes
      1002  88 81 00 00 00 00 03                              close code of one byte
      1002  88 82 00 00 00 00 03 ed                           close code that is never sent
      1007  88 83 00 00 00 00 03 e8 ff                        close reason that is not UTF-8
      1007  81 81 00 00 00 00 ff                              text that is not UTF-8
      1007  01 81 00 00 00 00 61 89 80 00 00 00 00 80 81 00 00 00 00 ff  the same after a ping
      1000  88 82 00 00 00 00 03 e8                           an orderly close
      4999  88 82 00 00 00 00 13 87                           an orderly close with a private code
      """;

  @Test
  void aFrameAgainstTheRulesIsAnsweredWithItsCloseCode() throws Exception {
    for (String row : MALFORMED.lines().toList()) {
      String hex = row.substring(6).replaceAll(" {2,}.*", "");
      try (RawConnection connection = RawConnection.tls(server)) {
        connection.send(UPGRADE + "\r\n");
        connection.readUntil("\r\n\r\n");
        connection.send(
            new String(HexFormat.ofDelimiter(" ").parseHex(hex), StandardCharsets.ISO_8859_1));
        assertThat(closeCode(connection)).as(row).isEqualTo(Integer.parseInt(row.substring(0, 4)));
        assertThat(connection.in().read()).as(row).isEqualTo(-1);
      }
    }
    Gauges.await(gauges::watches, open -> open == 0);
  }

  /// A pong may come before the close frame.
  private static int closeCode(RawConnection connection) throws IOException {
    int first = connection.in().read();
    byte[] payload = connection.in().readNBytes(connection.in().read());
    return first == 0x8a ? closeCode(connection) : ByteBuffer.wrap(payload).getShort();
  }

  @Test
  void aFrameThatAnnouncesTwoGigabytesIsDroppedAsItComes() throws Exception {
    try (RawConnection connection = RawConnection.tls(server)) {
      connection.send(UPGRADE + "\r\n");
      connection.readUntil("\r\n\r\n");
      connection.send("\u0082\u00ff\0\0\0\0\u007f\u00ff\u00ff\u00ff\0\0\0\0");
      String piece = "x".repeat(1 << 20);
      long before = Gauges.memory();
      for (int i = 0; i < 16; i++) {
        connection.send(piece);
      }
      assertThat(Gauges.memory() - before).isLessThan(20_000_000);
      write("first", 10);
      connection.readUntil("\"name\":\"first\"");
    }
    Gauges.await(gauges::watches, open -> open == 0);
  }

  @Test
  void whoSaysGoodByeInTheSameBreathIsLetGo() throws Exception {
    try (RawConnection connection = RawConnection.tls(server)) {
      connection.send(UPGRADE + "\r\n" + "\u0088\u0080abcd");
      assertThat(connection.readAll()).startsWith("HTTP/1.1 101 ");
    }
    Gauges.await(gauges::watches, open -> open == 0);
  }

  @Test
  void thoseThatNeverReadAreCutOff() throws Exception {
    restart(HttpLimits.STANDARD.idle(), Duration.ofSeconds(3));
    List<RawConnection> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        RawConnection connection = RawConnection.tls(server);
        stalled.add(connection);
        connection.send(UPGRADE + "\r\n");
      }
      Gauges.await(gauges::watches, open -> open == 100);
      for (int i = 0; i < 20; i++) {
        write("c" + i, 100_000);
      }
      Gauges.await(gauges::watches, open -> open == 0);
      Gauges.await(gauges::requests, open -> open <= 2);
      Gauges.await(gauges::connections, open -> open <= 2);
    } finally {
      for (RawConnection connection : stalled) {
        connection.close();
      }
    }
  }

  @Test
  void aFloodOfPingsHurtsNobody() throws Exception {
    restart(HttpLimits.STANDARD.idle(), Duration.ofSeconds(3));
    try (RawConnection connection = RawConnection.tls(server)) {
      connection.send(UPGRADE + "\r\n");
      connection.readUntil("\r\n\r\n");
      String pings = "\u0089\u0080abcd".repeat(10_000);
      long before = Gauges.memory();
      try {
        for (int i = 0; i < 20; i++) {
          connection.send(pings);
        }
      } catch (IOException _) {
        // Pongs that nobody takes end it, too.
      }
      assertThat(Gauges.memory() - before).isLessThan(20_000_000);
    }
    Gauges.await(gauges::watches, open -> open == 0);
  }
}
