package dev.berth.vm.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plugins are shell scripts that record how they were called.
final class PluginCallsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Records command, environment and input, and returns a result with its own name.
  private static final String SCRIPT =
      """
      #!/bin/sh
      dir=$(dirname "$0")
      echo "$CNI_COMMAND $(basename "$0") $CNI_CONTAINERID $CNI_IFNAME $CNI_NETNS" >>"$dir/calls"
      echo "$CNI_ARGS" >"$dir/arguments"
      cat >"$dir/$CNI_COMMAND-$(basename "$0").json"
      echo "{\\"cniVersion\\": \\"1.0.0\\", \\"by\\": \\"$(basename "$0")\\"}"
      """;

  private static final String FAILING =
      """
      #!/bin/sh
      echo 'a log line' >&2
      echo '{"cniVersion": "1.0.0", "code": 11, "msg": "no address is left", "details": "try later"}'
      exit 1
      """;

  @TempDir Path directory;

  private void plugin(String name, String script) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private PluginCalls calls(String version, PortMapping... ports) throws IOException {
    JsonNode list =
        JSON.readTree(
            """
            {"cniVersion": "%s", "name": "pods", "plugins": [
              {"type": "first", "own": 1},
              {"type": "second", "capabilities": {"portMappings": true}}]}
            """
                .formatted(version));
    PodIdentity pod = new PodIdentity("s1", "shop", "web", "u1", List.of(ports));
    return new PluginCalls(
        new PluginDirectories(List.of(directory)),
        new NetworkProgram(directory, PodNetworkConfig.USUAL_LIMIT),
        new PluginAttachment(NetworkConfigurations.parse(list), pod),
        "/netns/s1");
  }

  private JsonNode input(String call) throws IOException {
    return JSON.readTree(directory.resolve(call + ".json").toFile());
  }

  @Test
  void eachPluginLearnsTheResultOfTheOneBefore() throws IOException {
    plugin("first", SCRIPT);
    plugin("second", SCRIPT);
    JsonNode result = calls("1.0.0", new PortMapping("tcp", 8080, 80, "127.0.0.1")).add();
    assertThat(result.path("by").asText()).isEqualTo("second");
    assertThat(Files.readAllLines(directory.resolve("calls")))
        .containsExactly("ADD first s1 eth0 /netns/s1", "ADD second s1 eth0 /netns/s1");
    assertThat(Files.readString(directory.resolve("arguments")))
        .isEqualTo(
            "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web;K8S_POD_INFRA_CONTAINER_ID=s1;K8S_POD_UID=u1\n");
    assertThat(input("ADD-first"))
        .isEqualTo(
            JSON.readTree(
                "{\"type\":\"first\",\"own\":1,\"name\":\"pods\",\"cniVersion\":\"1.0.0\"}"));
    assertThat(input("ADD-second").path("prevResult").path("by").asText()).isEqualTo("first");
    assertThat(input("ADD-second").path("runtimeConfig"))
        .isEqualTo(
            JSON.readTree(
                """
                {"portMappings": [{"hostPort": 8080, "containerPort": 80, "protocol": "tcp",
                  "hostIP": "127.0.0.1"}]}
                """));
  }

  @Test
  void removalGoesBackwardsWithTheLastResult() throws IOException {
    plugin("first", SCRIPT);
    plugin("second", SCRIPT);
    calls("0.4.0").remove(Optional.of(JSON.readTree("{\"by\": \"second\"}")));
    assertThat(Files.readAllLines(directory.resolve("calls")))
        .containsExactly("DEL second s1 eth0 /netns/s1", "DEL first s1 eth0 /netns/s1");
    assertThat(input("DEL-first").path("prevResult").path("by").asText()).isEqualTo("second");
  }

  @Test
  void oldPluginsLearnNothingOnRemoval() throws IOException {
    plugin("first", SCRIPT);
    plugin("second", SCRIPT);
    calls("0.3.1").remove(Optional.of(JSON.readTree("{\"by\": \"second\"}")));
    assertThat(input("DEL-first").has("prevResult")).isFalse();
  }

  @Test
  void theMessageOfAPluginReachesTheCaller() throws IOException {
    plugin("first", FAILING);
    PluginCalls calls = calls("1.0.0");
    assertThatThrownBy(calls::add)
        .hasMessage(
            "the network of pod shop/web cannot be made: CNI plugin first of network pods failed: no address is left (try later). It is tried again; correct the configuration or the plugin if this does not pass");
  }

  @Test
  void aMissingPluginIsNamedWithItsPlaces() throws IOException {
    PluginCalls calls = calls("1.0.0");
    assertThatThrownBy(calls::add)
        .isInstanceOf(NetworkException.class)
        .hasMessageContaining("CNI plugin first of network pods failed: it is not in " + directory);
  }

  @Test
  void outputThatIsNoJsonIsAFailure() throws IOException {
    plugin("first", "#!/bin/sh\necho done\n");
    PluginCalls calls = calls("1.0.0");
    assertThatThrownBy(calls::add)
        .isInstanceOf(NetworkException.class)
        .hasMessageContaining("its output is not JSON");
  }
}
