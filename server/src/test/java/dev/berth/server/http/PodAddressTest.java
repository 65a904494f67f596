package dev.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodAddressTest {
  @ParameterizedTest
  @CsvSource({
    "web, 10.1.2.3:8080",
    "web:9090, 10.1.2.3:9090",
    "http:web:9090, 10.1.2.3:9090",
    ":web:, 10.1.2.3:8080"
  })
  void aPodIsReachedAtItsAddress(String text, String backend) {
    PodAddress address = PodAddress.parse(text);
    assertThat(address.name()).isEqualTo("web");
    assertThat(address.of(pod("10.1.2.3"))).hasToString(backend);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "169.254.169.254", "0.0.0.0", "localhost"})
  void whatOnlyThisMachineReachesIsNotAllowed(String address) {
    assertThatThrownBy(() -> PodAddress.parse("web").of(pod(address)))
        .isInstanceOf(ApiException.class)
        .hasMessage("address not allowed");
  }

  @Test
  void whatCannotBeReachedIsTold() {
    assertThatThrownBy(() -> PodAddress.parse("https:web:443"))
        .hasMessage(
            "pods can be reached by plain HTTP only, not by https: use kubectl port-forward");
    assertThatThrownBy(() -> PodAddress.parse("web").of(pod("")))
        .hasMessage("pod web has no address yet");
    assertThatThrownBy(() -> PodAddress.parse("web:http").of(pod("10.1.2.3")))
        .hasMessage("\"http\" is no port of pod web: it must be a number between 1 and 65535");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/t/pods/web/proxy, /",
    "/api/v1/namespaces/t/pods/web:80/proxy/a/proxy?x=y, /a/proxy?x=y",
    "/api/v1/namespaces/proxy/pods/proxy-1/proxy/, /",
  })
  void whatFollowsIsThePodsOwnPath(String path, String rest) {
    assertThat(PodStreams.rest(path, "pods")).isEqualTo(rest);
  }

  private static ObjectNode pod(String address) {
    ObjectNode pod = Json.object();
    ArrayNode containers = pod.putObject("spec").putArray("containers");
    containers.addObject();
    containers.addObject().putArray("ports").addObject().put("containerPort", 8080);
    pod.putObject("status").put("podIP", address);
    return pod;
  }
}
