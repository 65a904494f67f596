package dev.berth.launch.reports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.platforms.WindowsVersion;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.registry.platforms.WindowsRelease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The nodes of a cluster: their system under its product name, runtime services and handlers.
public final class NodeListing {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String SERVICES = "berth.dev/runtime-services";

  private NodeListing() {}

  /// A node in the listing.
  ///
  /// @param os such as `Windows Server 2019 (10.0.17763)` or `Debian GNU/Linux 13 (trixie)`
  record NodeLine(
      String name,
      String status,
      String os,
      List<String> runtimes,
      List<String> handlers,
      String architecture,
      String kernel,
      String agent) {
    static NodeLine of(JsonNode node) {
      JsonNode info = node.at("/status/nodeInfo");
      JsonNode services = services(node);
      TreeSet<String> handlers = new TreeSet<>();
      node.at("/status/runtimeHandlers")
          .forEach(handler -> handlers.add(handler.path("name").asText()));
      // The default handler has an entry without a name.
      handlers.remove("");
      List<String> runtimes = new ArrayList<>();
      services.fieldNames().forEachRemaining(runtimes::add);
      return new NodeLine(
          node.at("/metadata/name").asText(),
          status(node),
          system(node),
          runtimes.isEmpty() ? List.of(info.path("containerRuntimeVersion").asText()) : runtimes,
          List.copyOf(handlers),
          info.path("architecture").asText(),
          info.path("kernelVersion").asText(),
          info.path("kubeletVersion").asText());
    }

    /// The runtime services in the agent's annotation; none for a kubelet.
    private static JsonNode services(JsonNode node) {
      try {
        JsonNode annotations = node.at("/metadata/annotations");
        return MAPPER.readTree(annotations.path(SERVICES).asText("{}"));
      } catch (JsonProcessingException _) {
        // Somebody edited it; the agent repairs it.
        return MissingNode.getInstance();
      }
    }

    private static String status(JsonNode node) {
      String ready = "NotReady";
      for (JsonNode condition : node.at("/status/conditions")) {
        if (condition.path("type").asText().equals("Ready")) {
          ready =
              switch (condition.path("status").asText()) {
                case "True" -> "Ready";
                case "Unknown" -> "Unknown";
                default -> "NotReady";
              };
        }
      }
      return node.at("/spec/unschedulable").asBoolean() ? ready + ",SchedulingDisabled" : ready;
    }

    /// The system of the node. A Windows node is named by its build, because its own product name
    /// does not distinguish all releases.
    private static String system(JsonNode node) {
      JsonNode info = node.at("/status/nodeInfo");
      String build = node.at("/metadata/labels/node.kubernetes.io~1windows-build").asText();
      return WindowsVersion.parse(build)
          .map(WindowsRelease::product)
          .orElseGet(
              () -> info.path("osImage").asText(info.path("operatingSystem").asText("unknown")));
    }

    List<String> row() {
      return List.of(
          name, status, os, joined(runtimes), joined(handlers), architecture, kernel, agent);
    }

    private static String joined(List<String> words) {
      String all = String.join(",", words);
      return all.isEmpty() ? "-" : all;
    }
  }

  /// Reads all nodes, sorted by name.
  ///
  /// @throws dev.berth.launch.process.LaunchException when there is no answer
  public static CommandReport read(Path kubeconfig) {
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth-cli")) {
      try {
        return report(connection.client().json(ResourceType.NODES).list(ListQuery.ALL));
      } catch (ClientException e) {
        throw connection.refusal("cannot read the nodes of " + connection.server(), e);
      }
    }
  }

  static CommandReport report(List<ObjectNode> nodes) {
    List<NodeLine> lines =
        nodes.stream().map(NodeLine::of).sorted(Comparator.comparing(NodeLine::name)).toList();
    return new CommandReport(
        "",
        List.of("NAME", "STATUS", "OS", "RUNTIMES", "HANDLERS", "ARCH", "KERNEL", "VERSION"),
        5,
        lines.stream().map(NodeLine::row).toList(),
        CommandReport.tree(Map.of("nodes", lines)));
  }
}
