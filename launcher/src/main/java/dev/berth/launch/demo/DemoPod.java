package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.launch.containerd.images.LocalImages;
import java.util.List;

/// A pod of the tour.
///
/// @param runtimeClass empty for the runtime's default
/// @param simulated whether a simulator runs the pod, which knows nothing of the image's contents
/// @param nodes nodes on which the pod may run; empty for any
record DemoPod(String runtimeClass, boolean simulated, List<String> nodes) {
  static final String NAMESPACE = "berth-demo";
  static final String HOSTNAME = "kubernetes.io/hostname";
  private static final String GREETING = "echo Hello from a simulated pod; sleep 3600";

  DemoPod {
    nodes = List.copyOf(nodes);
  }

  String name() {
    return runtimeClass.isEmpty() ? "hello" : "hello-" + runtimeClass;
  }

  ObjectNode document() {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", name()).put("namespace", NAMESPACE);
    ObjectNode spec = pod.putObject("spec");
    if (!runtimeClass.isEmpty()) {
      spec.put("runtimeClassName", runtimeClass);
    }
    ObjectNode container =
        spec.putArray("containers").addObject().put("name", "hello").put("image", LocalImages.DEMO);
    if (!nodes.isEmpty()) {
      ArrayNode values =
          spec.putObject("affinity")
              .putObject("nodeAffinity")
              .putObject("requiredDuringSchedulingIgnoredDuringExecution")
              .putArray("nodeSelectorTerms")
              .addObject()
              .putArray("matchExpressions")
              .addObject()
              .put("key", HOSTNAME)
              .put("operator", "In")
              .putArray("values");
      nodes.forEach(values::add);
    }
    if (simulated) {
      container.putArray("command").add("sh").add("-c").add(GREETING);
    }
    return pod;
  }

  /// A command that a user can try inside the pod.
  List<String> inside() {
    return simulated ? List.of("hostname") : List.of("uname", "-a");
  }
}
