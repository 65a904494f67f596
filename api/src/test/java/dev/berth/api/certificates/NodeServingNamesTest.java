package dev.berth.api.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeServingNamesTest {
  private static final ServerNames SERVER =
      new ServerNames(
          Set.of("localhost", "kubernetes.default.svc", "*.corp.example"),
          Set.of("127.0.0.1", "10.0.0.1"));

  private final NodeServingNames names =
      NodeServingNames.of(
          "n1",
          List.of(
              // A node may claim what it likes in its own status.
              node(
                  "n1",
                  "10.0.0.5",
                  "n1",
                  "10.0.0.1",
                  "10.0.0.6",
                  "10.96.0.1",
                  "127.0.0.1",
                  "169.254.1.1",
                  "evil.example"),
              node("n2", "10.0.0.6")),
          List.of(json("{'spec': {'clusterIP': '10.96.0.1', 'clusterIPs': ['fd00::1']}}")),
          SERVER,
          InetAddress.ofLiteral("192.0.2.5"));

  @Test
  void theNodesOwnNameAndAddressesAreAllowed() {
    assertThat(names.refusals(List.of("n1", "10.0.0.5", "192.0.2.5", "::ffff:10.0.0.5"))).isEmpty();
    assertThat(names.always()).containsExactly("n1");
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.default.svc, is a name of the API server",
    "api.corp.example, is a name of the API server",
    "10.0.0.1, is an address of the API server",
    "127.0.0.1, is not an address of one machine alone",
    "::1, is not an address of one machine alone",
    "0.0.0.0, is not an address of one machine alone",
    "169.254.1.1, is not an address of one machine alone",
    "10.0.0.6, is an address of another node or of a Service",
    "10.96.0.1, is an address of another node or of a Service",
    "fd00::1, is an address of another node or of a Service",
    "10.0.0.9, is neither in status.addresses",
    "n2, is not the name of the node",
    "evil.example, is not the name of the node",
    "'*', is neither an IP address nor a DNS name",
    "'*.n1', is neither an IP address nor a DNS name",
    "N1, is neither an IP address nor a DNS name",
    "'', is neither an IP address nor a DNS name",
    "fe80::1%eth0, is neither an IP address nor a DNS name",
  })
  void whatIsSomebodyElsesIsRefused(String name, String why) {
    assertThat(names.refusals(List.of("n1", name)))
        .singleElement()
        .asString()
        .startsWith("\"" + name + "\" " + why);
  }

  @Test
  void aNodeWithANameOfTheServerGetsNoneOfIt() {
    NodeServingNames same =
        new NodeServingNames("kubernetes.default.svc", Set.of(), Set.of(), SERVER);

    assertThat(same.always()).isEmpty();
    assertThat(same.refusals(List.of("kubernetes.default.svc"))).hasSize(1);
  }

  @Test
  void theNumberAndLengthOfNamesAreBounded() {
    assertThat(names.refusals(Collections.nCopies(17, "n1")))
        .containsExactly("17 names are requested, at most 16 are allowed");
    assertThat(names.refusals(List.of("x".repeat(100_000))).getFirst().length()).isLessThan(400);
  }

  private static JsonNode node(String name, String... addresses) {
    String list =
        Arrays.stream(addresses)
            .map("{'address': '%s'}"::formatted)
            .collect(Collectors.joining(","));
    return json(
        "{'metadata': {'name': '%s'}, 'status': {'addresses': [%s]}}".formatted(name, list));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
