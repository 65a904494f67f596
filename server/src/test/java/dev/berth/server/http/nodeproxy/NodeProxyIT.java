package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.berth.server.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The proxy of a node: its own server without a port or with its port, and any other port.
class NodeProxyIT {
  @TempDir Path directory;
  private TestServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(directory);
    client = server.admin();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private void node(String address, int port) throws Exception {
    String body =
        """
        {"metadata":{"name":"n"},"status":{"addresses":[{"type":"InternalIP","address":"%s"}],
         "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}}"""
            .formatted(address, port);
    assertThat(send("POST", "/api/v1/nodes", body).statusCode()).isEqualTo(201);
  }

  @Test
  void anotherPortOfTheNodeIsReached() throws Exception {
    try (MachineAddress machine = MachineAddress.open()) {
      anotherPortIsReachedAt(machine.address());
    }
  }

  private void anotherPortIsReachedAt(InetAddress address) throws Exception {
    HttpServer exporter = HttpServer.create(new InetSocketAddress(address, 0), 0);
    exporter.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestURI().toString().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    exporter.start();
    try {
      node(address.getHostAddress(), 1);
      int port = exporter.getAddress().getPort();

      for (String name : new String[] {"n:" + port, "http:n:" + port}) {
        HttpResponse<String> answer =
            send("GET", "/api/v1/nodes/%s/proxy/metrics?a=b".formatted(name), "");
        assertThat(answer.body()).isEqualTo("/metrics?a=b");
      }
      // It speaks no TLS, so this fails in the handshake.
      assertThat(send("GET", "/api/v1/nodes/https:n:%d/proxy/".formatted(port), "").body())
          .contains("error dialing backend: %s:%d".formatted(address.getHostAddress(), port));
    } finally {
      exporter.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "n:9, 400, address not allowed",
    "https:n:9, 400, address not allowed",
    "n:web, 400, is no port of node n: it must be a number between 1 and 65535",
    "n:70000, 400, is no port of node n: it must be a number between 1 and 65535",
    "ftp:n:9, 400, invalid node request",
    "a:b:c:d, 400, invalid node request",
    "other:9, 404, not found",
    "n:1, 500, error dialing backend: 127.0.0.1:1",
    "n, 500, error dialing backend: 127.0.0.1:1",
  })
  void whatCannotBeReachedIsReported(String name, int code, String message) throws Exception {
    node("127.0.0.1", 1);

    HttpResponse<String> answer = send("GET", "/api/v1/nodes/%s/proxy/".formatted(name), "");

    assertThat(answer.body()).contains(message);
    assertThat(answer.statusCode()).isEqualTo(code);
  }
}
