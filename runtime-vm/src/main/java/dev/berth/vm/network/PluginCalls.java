package dev.berth.vm.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Calls the plugins of a list for one pod, as the CNI specification has it: each learns what the
/// one before it returned, and they remove their parts in reverse order.
///
/// @param namespace empty if it is gone
record PluginCalls(
    PluginDirectories plugins,
    NetworkProgram program,
    PluginAttachment attachment,
    String namespace) {
  /// The device that plugins make in the namespace; every runtime calls it so.
  static final String DEVICE = "eth0";

  private static final ObjectMapper JSON = new ObjectMapper();

  /// A plugin that is being replaced cannot be started for a moment; the library of CNI tries as
  /// often.
  private static final int ATTEMPTS = 5;

  private static final long BETWEEN_ATTEMPTS_NANOS = 1_000_000_000L;

  /// Adds the pod to the network.
  ///
  /// @return the result of the last plugin
  JsonNode add() {
    JsonNode result = JSON.missingNode();
    for (ObjectNode plugin : attachment.list().plugins()) {
      String output = call("ADD", plugin, result);
      try {
        result = JSON.readTree(output);
      } catch (JsonProcessingException e) {
        throw failure("ADD", plugin, "its output is not JSON: " + e.getOriginalMessage(), e);
      }
    }
    return result;
  }

  /// Removes the pod from the network, whatever part of [#add] has happened.
  ///
  /// @param result what [#add] returned, if it did
  void remove(Optional<JsonNode> result) {
    JsonNode known =
        result.filter(_ -> attachment.list().returnsResultOnRemoval()).orElseGet(JSON::missingNode);
    for (ObjectNode plugin : attachment.list().plugins().reversed()) {
      call("DEL", plugin, known);
    }
  }

  private String call(String command, ObjectNode plugin, JsonNode previous) {
    Path file = find(command, plugin);
    ProgramOutput done;
    try {
      done = start(file, command, input(plugin, previous));
    } catch (IOException e) {
      throw failure(command, plugin, String.valueOf(e.getMessage()), e);
    }
    if (!done.succeeded()) {
      throw failure(command, plugin, message(done), null);
    }
    return done.output();
  }

  private ProgramOutput start(Path file, String command, String input) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return program.run(List.of(file.toString()), environment(command), input);
      } catch (IOException e) {
        boolean isBeingWritten = String.valueOf(e.getMessage()).contains("error=26");
        if (!isBeingWritten || attempt == ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
      }
    }
  }

  private Path find(String command, ObjectNode plugin) {
    return plugins
        .find(plugin.path("type").asText())
        .orElseThrow(
            () ->
                failure(
                    command,
                    plugin,
                    "it is not in %s".formatted(String.join(", ", plugins.path().split(":", -1))),
                    null));
  }

  private Map<String, String> environment(String command) {
    PodIdentity pod = attachment.pod();
    String arguments =
        "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s;K8S_POD_INFRA_CONTAINER_ID=%s;K8S_POD_UID=%s"
            .formatted(pod.namespace(), pod.name(), pod.sandboxId(), pod.uid());
    return Map.of(
        "CNI_COMMAND", command,
        "CNI_CONTAINERID", pod.sandboxId(),
        "CNI_NETNS", namespace,
        "CNI_IFNAME", DEVICE,
        "CNI_ARGS", arguments,
        "CNI_PATH", plugins.path());
  }

  /// The plugin's own configuration with what the list and this call add.
  String input(ObjectNode plugin, JsonNode previous) throws JsonProcessingException {
    ObjectNode input = plugin.deepCopy();
    input.put("name", attachment.list().name());
    input.put("cniVersion", attachment.list().cniVersion());
    List<PortMapping> ports = attachment.pod().portMappings();
    if (!ports.isEmpty() && NetworkList.offers(plugin, NetworkList.PORT_MAPPINGS)) {
      input
          .putObject("runtimeConfig")
          .set(
              NetworkList.PORT_MAPPINGS,
              JSON.valueToTree(ports.stream().map(PluginCalls::mapping).toList()));
    }
    if (!previous.isMissingNode()) {
      input.set("prevResult", previous);
    }
    return JSON.writeValueAsString(input);
  }

  private static Map<String, Object> mapping(PortMapping port) {
    Map<String, Object> mapping = new LinkedHashMap<>();
    mapping.put("hostPort", port.hostPort());
    mapping.put("containerPort", port.podPort());
    mapping.put("protocol", port.protocol());
    if (!port.hostAddress().isEmpty()) {
      mapping.put("hostIP", port.hostAddress());
    }
    return mapping;
  }

  /// A plugin reports a failure as JSON on its standard output.
  private static String message(ProgramOutput done) {
    try {
      JsonNode error = JSON.readTree(done.output());
      String text = error.path("msg").asText();
      String details = error.path("details").asText();
      if (!text.isEmpty()) {
        return details.isEmpty() ? text : text + " (" + details + ")";
      }
    } catch (JsonProcessingException _) {
      // Then the plain text has to do.
    }
    return done.complaint();
  }

  private NetworkException failure(
      String command, ObjectNode plugin, String why, @Nullable Throwable cause) {
    PodIdentity pod = attachment.pod();
    String what =
        "the network of pod %s/%s cannot be %s"
            .formatted(pod.namespace(), pod.name(), command.equals("ADD") ? "made" : "removed");
    return new NetworkException(
        new Problem(
            what,
            "CNI plugin %s of network %s failed: %s"
                .formatted(plugin.path("type").asText(), attachment.list().name(), why),
            "It is tried again; correct the configuration or the plugin if this does not pass"),
        cause);
  }
}
