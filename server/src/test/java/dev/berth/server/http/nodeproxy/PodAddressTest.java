package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
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
    ":web:, 10.1.2.3:8080",
    "web:metrics, 10.1.2.3:9100",
    "https:web:, 10.1.2.3:8080",
    "https:web:metrics, 10.1.2.3:9100"
  })
  void aPodIsReachedAtItsAddress(String text, String backend) {
    PodAddress address = PodAddress.parse(text);
    assertThat(address.name()).isEqualTo("web");
    assertThat(address.of(pod("10.1.2.3"))).hasToString(backend);
    assertThat(address.of(pod("10.1.2.3")).tls() != null).isEqualTo(text.startsWith("https:"));
  }

  @Test
  void aPodWithoutPortsIsReachedAtTheOneOfTheScheme() {
    ObjectNode bare = JsonTrees.object();
    bare.putObject("status").put("podIP", "10.1.2.3");
    assertThat(PodAddress.parse("web").of(bare)).hasToString("10.1.2.3:80");
    assertThat(PodAddress.parse("https:web:").of(bare)).hasToString("10.1.2.3:443");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp:web:21", "a:b:c:d", ":80", "https::443", "HTTPS:web:443"})
  void whatNamesNoPodIsRefused(String text) {
    assertThatThrownBy(() -> PodAddress.parse(text))
        .isInstanceOf(ApiException.class)
        .hasMessage("invalid pod request \"" + text + "\"");
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
    assertThatThrownBy(() -> PodAddress.parse("web").of(pod("")))
        .hasMessage("pod web has no address yet");
    assertThatThrownBy(() -> PodAddress.parse("web:http").of(pod("10.1.2.3")))
        .hasMessage(
            "\"http\" is no port of pod web: it must be the name of a container's port or a number"
                + " between 1 and 65535");
  }

  private static ObjectNode pod(String address) {
    ObjectNode pod = JsonTrees.object();
    ArrayNode containers = pod.putObject("spec").putArray("containers");
    containers.addObject();
    ArrayNode ports = containers.addObject().putArray("ports");
    ports.addObject().put("containerPort", 8080);
    ports.addObject().put("name", "metrics").put("containerPort", 9100);
    pod.putObject("status").put("podIP", address);
    return pod;
  }
}
