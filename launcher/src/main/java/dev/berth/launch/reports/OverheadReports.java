package dev.berth.launch.reports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The measured overhead of RuntimeClasses beside the declared one.
public final class OverheadReports {
  private static final long MEBIBYTE = 1L << 20;

  /// Proposed memory is a multiple of this, and proposed processor time of [#CPU_STEP].
  private static final long MEMORY_STEP = 8;

  private static final long CPU_STEP = 10;

  private OverheadReports() {}

  /// What the sandboxes of a RuntimeClass cost on each node, and the overhead to declare.
  public static CommandReport ofClass(Path kubeconfig, String name) {
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth-cli")) {
      return ofClass(connection, name);
    }
  }

  private static CommandReport ofClass(ServerConnection connection, String name) {
    try {
      List<ObjectNode> classes =
          connection.client().json(ResourceType.RUNTIME_CLASSES).list(ListQuery.ALL);
      ObjectNode found =
          classes.stream()
              .filter(one -> name(one).equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      SchedulingReports.noSuchClass(
                          name, classes.stream().map(OverheadReports::name).toList()));
      return report(
          found,
          MeasuredOverhead.read(connection.client().json(ResourceType.NODES).list(ListQuery.ALL)));
    } catch (ClientException e) {
      throw connection.refusal("cannot read the cluster at " + connection.server(), e);
    }
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  static CommandReport report(ObjectNode runtimeClass, List<MeasuredOverhead> measured) {
    String handler = runtimeClass.path("handler").asText();
    List<MeasuredOverhead> own =
        measured.stream().filter(one -> one.handler().equals(handler)).toList();
    return new CommandReport(
        headline(runtimeClass, own),
        List.of("NODE", "PODS", "MEMORY", "LARGEST MEMORY", "CPU"),
        5,
        own.stream().map(OverheadReports::row).toList(),
        document(runtimeClass, own));
  }

  private static List<String> row(MeasuredOverhead one) {
    return List.of(
        one.node(),
        Integer.toString(one.pods()),
        one.memory(),
        one.largestMemory(),
        one.cpu().isEmpty() ? "-" : one.cpu());
  }

  private static String headline(ObjectNode runtimeClass, List<MeasuredOverhead> own) {
    String name = name(runtimeClass);
    String declared = text(declared(runtimeClass));
    if (own.isEmpty()) {
      return ("RuntimeClass %s (handler %s) declares overhead %s. No node has measured sandboxes of"
              + " this handler yet: an agent measures a minute after its first pod runs.")
          .formatted(name, runtimeClass.path("handler").asText(), declared);
    }
    return """
        RuntimeClass %1$s (handler %2$s) declares overhead %3$s; measured values propose %4$s:
          kubectl patch runtimeclass %1$s --type merge -p '%5$s'"""
        .formatted(
            name, runtimeClass.path("handler").asText(), declared, text(proposal(own)), patch(own));
  }

  private static Map<String, String> declared(ObjectNode runtimeClass) {
    return runtimeClass
        .path("overhead")
        .path("podFixed")
        .propertyStream()
        .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().asText()));
  }

  private static String text(Map<String, String> amounts) {
    return amounts.isEmpty()
        ? "nothing"
        : amounts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining(","));
  }

  /// The largest sandbox decides about memory, because a limit that is too low ends pods. The
  /// busiest median decides about processor time, which only slows pods down.
  private static Map<String, String> proposal(List<MeasuredOverhead> own) {
    long bytes = own.stream().mapToLong(MeasuredOverhead::largestBytes).max().orElse(0);
    long milli = own.stream().mapToLong(MeasuredOverhead::milliCores).max().orElse(0);
    return Map.of(
        "memory",
        steps(Math.ceilDiv(bytes, MEBIBYTE), MEMORY_STEP) + "Mi",
        "cpu",
        steps(milli, CPU_STEP) + "m");
  }

  private static long steps(long value, long step) {
    return Math.max(1, Math.ceilDiv(value, step)) * step;
  }

  private static ObjectNode patch(List<MeasuredOverhead> own) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode amounts = patch.withObject("/overhead/podFixed");
    Map<String, String> proposal = proposal(own);
    List.of("cpu", "memory").forEach(one -> amounts.put(one, proposal.get(one)));
    return patch;
  }

  private static JsonNode document(ObjectNode runtimeClass, List<MeasuredOverhead> own) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("name", name(runtimeClass));
    document.put("handler", runtimeClass.path("handler").asText());
    document.set("declared", CommandReport.tree(declared(runtimeClass)));
    document.set("measured", CommandReport.tree(new ArrayList<>(own)));
    if (!own.isEmpty()) {
      document.set("proposed", CommandReport.tree(proposal(own)));
    }
    return document;
  }

  /// The cell of one class in a list of classes: the node where its sandboxes cost the most.
  static String cell(String handler, List<MeasuredOverhead> measured) {
    return measured.stream()
        .filter(one -> one.handler().equals(handler))
        .max((a, b) -> Long.compare(a.memoryBytes(), b.memoryBytes()))
        .map(
            one -> (one.cpu().isEmpty() ? "" : "cpu=" + one.cpu() + ",") + "memory=" + one.memory())
        .orElse("-");
  }
}
