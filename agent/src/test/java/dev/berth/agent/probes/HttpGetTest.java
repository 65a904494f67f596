package dev.berth.agent.probes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HTTPGetActionBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpGetTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final BlockingQueue<Headers> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final HttpGet http = new HttpGet("kube-probe/1.32");
  private HttpServer server;
  private volatile int code = 200;
  private volatile String text = "";

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestHeaders());
          requests.add(exchange.getRequestURI().toString());
          if (exchange.getRequestURI().getPath().equals("/moved")) {
            exchange.getResponseHeaders().add("Location", "/here");
            exchange.sendResponseHeaders(302, -1);
          } else if (exchange.getRequestURI().getPath().startsWith("/away")) {
            exchange.getResponseHeaders().add("Location", "http://192.0.2.1/");
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            boolean chunked = exchange.getRequestURI().getPath().equals("/away-in-chunks");
            exchange.sendResponseHeaders(302, chunked ? 0 : body.length);
            exchange.getResponseBody().write(body);
          } else {
            exchange.sendResponseHeaders(code, -1);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private HTTPGetActionBuilder action(String path) {
    return new HTTPGetActionBuilder().withPath(path).withNewPort(server.getAddress().getPort());
  }

  private int send(HTTPGetAction action) throws Exception {
    return http.send(List.of("127.0.0.1"), new Container(), action, LIMIT).code();
  }

  @ParameterizedTest(name = "{0} is asked for as {1}")
  @CsvSource({
    "/a b, /a%20b",
    "/ready?show={all}|x, /ready?show=%7Ball%7D%7Cx",
    "/done%20before, /done%20before",
    "/100%, /100%25",
    "/grün, /gr%C3%BCn",
    "plain?a=b&c=d, /plain?a=b&c=d",
  })
  void pathsMayHaveWhatNoUriMayHave(String path, String request) throws Exception {
    assertThat(send(action(path).build())).isEqualTo(200);

    assertThat(requests.take()).isEqualTo(request);
  }

  @Test
  void headersAreThoseOfTheAction() throws Exception {
    HTTPGetAction action =
        action("/")
            .addNewHttpHeader("host", "shop.example.com")
            .addNewHttpHeader("X-Team", "a")
            .build();

    assertThat(send(action)).isEqualTo(200);

    Headers headers = asked.take();
    assertThat(headers.get("Host")).containsExactly("shop.example.com");
    assertThat(headers.getFirst("X-Team")).isEqualTo("a");
    assertThat(headers.getFirst("User-Agent")).isEqualTo("kube-probe/1.32");
    assertThat(headers.getFirst("Connection")).isEqualTo("close");
  }

  @Test
  void anEmptyValueTakesAHeaderAway() throws Exception {
    HTTPGetAction action =
        action("/")
            .addNewHttpHeader("accept", "")
            .addNewHttpHeader("User-Agent", "")
            .addNewHttpHeader("Host", "")
            .addNewHttpHeader("X-Team", "")
            .build();

    assertThat(send(action)).isEqualTo(200);

    Headers headers = asked.take();
    assertThat(headers).doesNotContainKeys("Accept", "User-Agent");
    assertThat(headers.getFirst("Host")).startsWith("127.0.0.1:");
    assertThat(headers.get("X-Team")).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 300, 302, 304, 404, 500})
  void anAnswerWithoutAnotherPlaceIsTheAnswer(int answer) throws Exception {
    code = answer;

    assertThat(send(action("/").build())).isEqualTo(answer);
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatHasMovedIsLookedForThere() throws Exception {
    assertThat(send(action("/moved").build())).isEqualTo(200);
    assertThat(asked).hasSize(2);
  }

  @Test
  void headersCannotHoldOthers() {
    HTTPGetAction action = action("/").addNewHttpHeader("X-A", "1\r\nX-B: 2").build();

    assertThatThrownBy(() -> send(action)).isInstanceOf(IllegalArgumentException.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatGoesWrongIsSaidAsTheKubeletSaysIt() throws Exception {
    HTTPGetAction action = action("/a").build();
    server.stop(0);
    assertThatThrownBy(() -> send(action))
        .hasMessage(
            "Get \"http://127.0.0.1:%1$d/a\": dial tcp 127.0.0.1:%1$d: connect: connection refused",
            action.getPort().getIntVal());

    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      HTTPGetAction toSilent =
          new HTTPGetActionBuilder().withPath("/a").withNewPort(silent.getLocalPort()).build();
      assertThatThrownBy(
              () ->
                  http.send(List.of("127.0.0.1"), new Container(), toSilent, Duration.ofMillis(50)))
          .hasMessageEndingWith(
              "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
    }
  }

  @ParameterizedTest
  @CsvSource({"/away, 30", "/away-in-chunks, 30", "/away, 100000", "/away-in-chunks, 100000"})
  void ofARedirectThatIsNotFollowedTheBodyIsReadAsFarAsTheKubeletReadsIt(String path, int length)
      throws Exception {
    text = "<a href=\"http://192.0.2.1/\">".concat("x".repeat(length)).substring(0, length);

    HttpGet.Reply reply =
        http.send(List.of("127.0.0.1"), new Container(), action(path).build(), LIMIT);

    assertThat(reply.code()).isEqualTo(302);
    assertThat(reply.body()).isEqualTo(text.substring(0, Math.min(length, 10 << 10)));
  }
}
