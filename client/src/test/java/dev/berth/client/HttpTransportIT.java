package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever calls decides whether a request is repeated.
final class HttpTransportIT {
  private final AtomicInteger requests = new AtomicInteger();
  private volatile int code;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          if (code == 0) {
            // Breaks off without an answer.
            throw new IOException("broken");
          }
          exchange.sendResponseHeaders(code, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503})
  void aCreateThatIsRefusedIsMadeOnce(int refusal) {
    code = refusal;
    assertThatThrownBy(this::create)
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(refusal));
    assertThat(requests).hasValue(1);
  }

  @Test
  void aCreateWithoutAnAnswerIsMadeOnce() {
    assertThatThrownBy(this::create).isInstanceOf(NoAnswerException.class);
    assertThat(requests).hasValue(1);
  }

  private void create() {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    ObjectNode secret = JsonNodeFactory.instance.objectNode();
    secret.putObject("metadata").put("namespace", "default").put("name", "a");
    try (ApiClient client = ApiClient.open(ClientConfig.ofToken(url, "", "x"))) {
      client.json(ResourceType.SECRETS).create(secret);
    }
  }
}
