package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.transport.HttpLimits;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What one HTTP/2 connection may ask for and never take.
class Http2AbuseIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String WATCH = CONFIG_MAPS + "?watch=1";
  private static final int LARGE_WINDOW = 1 << 20;
  private static final int RESETS = 20_000;

  @TempDir Path directory;
  private TestServer server;
  private HttpClient client;
  private Gauges gauges;

  @BeforeEach
  void start() throws IOException {
    HttpLimits standard = HttpLimits.STANDARD;
    HttpLimits limits =
        new HttpLimits(
            100,
            100,
            10_000,
            standard.idle(),
            standard.header(),
            standard.body(),
            Duration.ofSeconds(1),
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

  private void assertAllIsWell() throws IOException, InterruptedException {
    assertThat(Requests.get(client, server, "/readyz").body()).isEqualTo("ok");
    Gauges.await(gauges::watches, open -> open == 0);
    Gauges.await(gauges::requests, open -> open <= 2);
    Gauges.await(gauges::connections, open -> open <= 2);
  }

  private void write(String name) throws IOException, InterruptedException {
    String body =
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"a\":\"%s\"}}"
            .formatted(name, "x".repeat(100_000));
    assertThat(Requests.post(client, server, CONFIG_MAPS, "application/json", body).statusCode())
        .isEqualTo(201);
  }

  @Test
  void anAnswerThatIsNotTakenIsReset() throws Exception {
    write("large");
    try (Http2Connection abuser = new Http2Connection(server, 1)) {
      for (int stream = 1; stream < 200; stream += 2) {
        abuser.get(stream, CONFIG_MAPS);
      }
      Gauges.await(() -> abuser.received(Http2Connection.RST_STREAM), resets -> resets == 100);
      assertThat(abuser.dataBytes()).isLessThanOrEqualTo(100);
    }
    assertAllIsWell();
  }

  @Test
  void watchesThatAreNotReadAreReset() throws Exception {
    try (Http2Connection abuser = new Http2Connection(server, 0)) {
      for (int stream = 1; stream < 2 * 250; stream += 2) {
        abuser.get(stream, WATCH);
      }
      Gauges.await(gauges::watches, open -> open == 250);
      write("one");
      Gauges.await(gauges::watches, open -> open == 0);
      Gauges.await(() -> abuser.received(Http2Connection.RST_STREAM), resets -> resets == 250);
      assertThat(abuser.isOpen()).isTrue();
    }
    assertAllIsWell();
  }

  @Test
  void streamsOverTheLimitAreRefused() throws Exception {
    try (Http2Connection abuser = new Http2Connection(server, LARGE_WINDOW)) {
      for (int stream = 1; stream < 2 * 350; stream += 2) {
        abuser.get(stream, WATCH);
      }
      Gauges.await(gauges::watches, open -> open == 250);
      Gauges.await(() -> abuser.received(Http2Connection.RST_STREAM), resets -> resets == 100);
      assertThat(Requests.get(client, server, "/readyz").body()).isEqualTo("ok");
    }
    assertAllIsWell();
  }

  @Test
  void rapidResetsEndTheConnection() throws Exception {
    String reason = "";
    // Who is still sending when the server closes may lose its last words.
    for (int attempt = 0; reason.isEmpty() && attempt < 10; attempt++) {
      reason = resetRapidly();
    }
    assertThat(reason).isEqualTo("invalid_rst_stream_frame_rate");
    assertAllIsWell();
  }

  /// Until the server ends the connection; says with which words it did.
  private String resetRapidly() throws Exception {
    try (Http2Connection abuser = new Http2Connection(server, LARGE_WINDOW)) {
      try {
        for (int stream = 1; abuser.isOpen() && stream < 2 * RESETS; stream += 2) {
          abuser.getAndReset(stream, WATCH);
        }
        abuser.flush();
      } catch (IOException _) {
        // The server has had enough.
      }
      Gauges.await(() -> abuser.isOpen() ? 1 : 0, open -> open == 0);
      return abuser.goAway();
    }
  }

  @Test
  void aFloodOfPingsEndsTheConnection() throws Exception {
    flood(Http2Connection.PING, 0, new byte[8]);
  }

  @Test
  void aFloodOfSettingsEndsTheConnection() throws Exception {
    flood(Http2Connection.SETTINGS, 0, new byte[0]);
  }

  @Test
  void aHeadWithoutEndEndsTheConnection() throws Exception {
    flood(Http2Connection.CONTINUATION, 1, new byte[1000]);
  }

  private void flood(int type, int stream, byte[] payload) throws Exception {
    try (Http2Connection abuser = new Http2Connection(server, LARGE_WINDOW)) {
      try {
        if (stream > 0) {
          abuser.frame(Http2Connection.HEADERS, 0, stream, Http2Connection.head(WATCH));
        }
        for (int i = 0; abuser.isOpen() && i < 100_000; i++) {
          abuser.frame(type, 0, stream, payload);
        }
      } catch (IOException _) {
        // The server has had enough.
      }
      Gauges.await(() -> abuser.isOpen() ? 1 : 0, open -> open == 0);
    }
    assertAllIsWell();
  }
}
