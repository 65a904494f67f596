package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.NodeOptions.Taint;
import dev.berth.agent.node.machine.MachineInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Computes the Node object; fields of others are kept.
///
/// @param version of this agent, as `kubectl get nodes` shows it
record NodeObject(NodeOptions options, String version) {
  /// The object with which the node is registered.
  ObjectNode registration(ObservedNode observed, Instant now) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", options.name());
    if (!options.taints().isEmpty()) {
      node.putObject("spec").set("taints", taints());
    }
    return status(metadata(node, observed), observed, now);
  }

  private ArrayNode taints() {
    ArrayNode taints = JsonNodeFactory.instance.arrayNode();
    for (Taint taint : options.taints()) {
      ObjectNode entry = taints.addObject().put("key", taint.key());
      if (!taint.value().isEmpty()) {
        entry.put("value", taint.value());
      }
      entry.put("effect", taint.effect());
    }
    return taints;
  }

  /// A copy with the labels and annotations of this node.
  ObjectNode metadata(ObjectNode known, ObservedNode observed) {
    ObjectNode node = known.deepCopy();
    RuntimeReport report = new RuntimeReport(observed.runtimes());
    Map<String, String> wanted = labels(observed.machine(), report);
    ObjectNode labels = node.withObject("/metadata/labels");
    List<String> ofServices =
        labels
            .propertyStream()
            .map(Map.Entry::getKey)
            .filter(key -> key.startsWith(RuntimeReport.LABEL) && !wanted.containsKey(key))
            .toList();
    labels.remove(ofServices);
    wanted.forEach(labels::put);
    ObjectNode annotations = node.withObject("/metadata/annotations");
    annotations.put(RuntimeReport.ANNOTATION, report.annotation());
    set(
        annotations,
        ImageReport.ANNOTATION,
        new ImageReport(observed.images(), observed.runtimes()).byHandler());
    // A restarted agent has measured nothing yet: what it found earlier stays.
    String overhead = new OverheadReport(observed.overheads()).annotation();
    if (!overhead.isEmpty()) {
      annotations.put(OverheadReport.ANNOTATION, overhead);
    }
    return node;
  }

  private static void set(ObjectNode annotations, String key, String value) {
    if (value.isEmpty()) {
      annotations.remove(key);
    } else {
      annotations.put(key, value);
    }
  }

  private Map<String, String> labels(MachineInfo machine, RuntimeReport report) {
    Map<String, String> labels = new TreeMap<>(options.labels());
    labels.put("kubernetes.io/hostname", options.name());
    labels.put("kubernetes.io/os", machine.system());
    labels.put("kubernetes.io/arch", machine.architecture());
    labels.put("beta.kubernetes.io/os", machine.system());
    labels.put("beta.kubernetes.io/arch", machine.architecture());
    if (!machine.windowsBuild().isEmpty()) {
      labels.put("node.kubernetes.io/windows-build", machine.windowsBuild());
    }
    labels.putAll(report.labels());
    return labels;
  }

  /// A copy with the status of this node.
  ObjectNode status(ObjectNode known, ObservedNode observed, Instant now) {
    ObjectNode node = known.deepCopy();
    ObjectNode status = node.withObject("/status");
    RuntimeReport report = new RuntimeReport(observed.runtimes());
    NodeCapacity capacity = new NodeCapacity(observed.machine().size(), options);
    capacity.writeTo(status);
    status.set("addresses", NodeAddresses.of(options));
    status.set("nodeInfo", nodeInfo(observed.machine(), report));
    status.set("images", new ImageReport(observed.images(), observed.runtimes()).largest());
    if (observed.port() > 0) {
      status.withObject("/daemonEndpoints/kubeletEndpoint").put("Port", observed.port());
    }
    ArrayNode handlers = report.handlers();
    if (handlers.isEmpty()) {
      status.remove("runtimeHandlers");
    } else {
      status.set("runtimeHandlers", handlers);
    }
    status
        .withObject("/features")
        .put("supplementalGroupsPolicy", report.supplementalGroupsPolicy());
    List<NodeCondition> conditions =
        new NodeConditions(options.readiness()).of(observed.runtimes(), observed.pressures());
    status.set("conditions", ConditionList.merge(status.path("conditions"), conditions, now));
    return node;
  }

  private ObjectNode nodeInfo(MachineInfo machine, RuntimeReport report) {
    ObjectNode info = JsonNodeFactory.instance.objectNode();
    info.put("machineID", machine.ids().machine());
    info.put("systemUUID", machine.ids().system());
    info.put("bootID", machine.ids().boot());
    info.put("kernelVersion", machine.kernelVersion());
    info.put("osImage", machine.systemImage());
    info.put("containerRuntimeVersion", report.version());
    info.put("kubeletVersion", version);
    info.put("kubeProxyVersion", "");
    info.put("operatingSystem", machine.system());
    info.put("architecture", machine.architecture());
    return info;
  }
}
