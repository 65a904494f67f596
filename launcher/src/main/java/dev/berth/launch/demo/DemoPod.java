package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.launch.containerd.LocalImages;

/// A pod of the tour.
///
/// @param runtimeClass empty for the runtime's default
record DemoPod(String runtimeClass) {
  static final String NAMESPACE = "berth-demo";

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
    spec.putArray("containers").addObject().put("name", "hello").put("image", LocalImages.DEMO);
    return pod;
  }
}
