package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPhase;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// The table of pods; its first cells all come from one walk over the container states.
final class PodColumns implements KindColumns {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<Column> DEFINITIONS =
      List.of(
          ColumnSheet.nameColumn(0),
          column("Ready", "Containers that are ready, of all that should be.", 0),
          column("Status", "What the pod is doing or waiting for.", 0),
          column("Restarts", "How often containers were started again, and when last.", 0),
          ColumnSheet.ageColumn(),
          column("IP", "Address of the pod.", 1),
          column("Node", "Node that runs the pod.", 1),
          column("Nominated Node", "Node on which room is being made for the pod.", 1),
          column("Readiness Gates", "Extra readiness conditions that hold, of all.", 1));

  private static Column column(String name, String description, int priority) {
    return new Column(name, "string", "", description, priority);
  }

  @Override
  public List<Column> definitions() {
    return DEFINITIONS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode pod, Instant now) {
    PodSummary summary = PodSummary.of(pod);
    return Stream.of(
            TableCells.name(pod),
            summary.ready() + "/" + summary.total(),
            summary.status(),
            restarts(summary, now),
            TableCells.age(pod, now),
            TableCells.textOr(
                TableCells.NONE, TableCells.at(pod, "status", "podIPs").path(0), "ip"),
            TableCells.textOr(TableCells.NONE, pod, "spec", "nodeName"),
            TableCells.textOr(TableCells.NONE, pod, "status", "nominatedNodeName"),
            readinessGates(pod))
        .<JsonNode>map(NODES::textNode)
        .toList();
  }

  private static String restarts(PodSummary summary, Instant now) {
    return summary.restarts() == 0 || summary.lastRestart().isEmpty()
        ? Integer.toString(summary.restarts())
        : "%d (%s ago)"
            .formatted(summary.restarts(), HumanDuration.since(summary.lastRestart(), now));
  }

  private static String readinessGates(ObjectNode pod) {
    JsonNode gates = TableCells.at(pod, "spec", "readinessGates");
    if (gates.isEmpty()) {
      return TableCells.NONE;
    }
    int open = 0;
    for (JsonNode requestGuard : gates) {
      open += TableCells.condition(pod, TableCells.text(requestGuard, "conditionType")) ? 1 : 0;
    }
    return open + "/" + gates.size();
  }

  @Override
  public List<ObjectNode> conditions(ObjectNode pod) {
    return switch (TableCells.text(pod, "status", "phase")) {
      case PodPhase.SUCCEEDED ->
          List.of(completed("Succeeded", "The pod has completed successfully."));
      case PodPhase.FAILED -> List.of(completed("Failed", "The pod failed."));
      default -> List.of();
    };
  }

  private static ObjectNode completed(String reason, String message) {
    return NODES
        .objectNode()
        .put("type", "Completed")
        .put("status", "True")
        .put("reason", reason)
        .put("message", message);
  }
}
