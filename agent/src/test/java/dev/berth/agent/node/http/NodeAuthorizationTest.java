package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.client.fake.ManualTime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeAuthorizationTest {
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final Answers api = new Answers();
  private final ApiClient client = new ApiClient(api);

  @ParameterizedTest
  @CsvSource({
    "GET, /pods, get, proxy",
    "POST, /exec/a/b/c, create, proxy",
    "GET, /metrics/resource, get, metrics",
    "GET, /stats/summary, get, stats",
    "GET, /statistics, get, proxy",
    "GET, /logs/syslog, get, log",
    "GET, /log, get, proxy",
    "GET, /configz, get, proxy",
    "DELETE, /x, delete, proxy"
  })
  void pathsAreSubresourcesOfTheNode(String method, String path, String verb, String subresource) {
    api.answer = "{\"status\":{\"allowed\":false}}";
    NodeAuthorization authorization = new NodeAuthorization(client, "n1", time);

    assertThatThrownBy(() -> authorization.require(caller(), method, path))
        .hasMessage(
            "Forbidden (user=ann, verb=%s, resource=nodes, subresource(s)=[%s])"
                .formatted(verb, subresource));
    assertThat(api.bodies.getFirst())
        .contains("\"verb\":\"" + verb + "\"", "\"subresource\":\"" + subresource + "\"")
        .contains("\"name\":\"n1\"", "\"groups\":[\"dev\"]");
  }

  @Test
  void answersAreRememberedForAWhile() {
    api.answer = "{\"status\":{\"allowed\":true}}";
    NodeAuthorization authorization = new NodeAuthorization(client, "n1", time);
    authorization.require(caller(), "GET", "/pods");
    api.answer = "{\"status\":{\"allowed\":false}}";
    time.advance(Duration.ofMinutes(4));
    assertThatCode(() -> authorization.require(caller(), "GET", "/pods"))
        .doesNotThrowAnyException();
    time.advance(Duration.ofMinutes(2));
    assertThatThrownBy(() -> authorization.require(caller(), "GET", "/pods"))
        .isInstanceOf(HttpFailure.class);
  }

  @Test
  void tokensAreReviewedAndStrangersRefused() {
    NodeAuthentication authentication = new NodeAuthentication(client, time);
    assertThat(authentication.identify(null, null)).isEmpty();
    assertThat(authentication.identify(null, "Basic x")).isEmpty();
    api.answer =
        "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\",\"groups\":[\"dev\"]}}}";
    assertThat(authentication.identify(null, "Bearer t1")).contains(caller());
    api.answer = "{\"status\":{}}";
    assertThat(authentication.identify(null, "Bearer t2")).isEmpty();
    assertThat(api.bodies).hasSize(2);
  }

  private static NodeCaller caller() {
    return new NodeCaller("ann", List.of("dev"));
  }

  /// Answers every request alike.
  private static final class Answers implements ApiTransport {
    private volatile String answer = "{}";
    private final List<String> bodies = new ArrayList<>();

    @Override
    public ApiResponse send(ApiRequest request) {
      bodies.add(new String(request.body(), StandardCharsets.UTF_8));
      return new ApiResponse(
          201, new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {}
  }
}
