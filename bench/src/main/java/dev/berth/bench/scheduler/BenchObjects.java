package dev.berth.bench.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Nodes, a RuntimeClass with selector, toleration and overhead, and pods that use it. The
/// scheduler thus runs all of its rules for each pod; pods without a class would be cheaper.
final class BenchObjects {
  private BenchObjects() {}

  static ObjectNode named(String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("name", name);
    return object;
  }

  static ObjectNode named(String namespace, String name) {
    ObjectNode object = named(name);
    object.withObject("/metadata").put("namespace", namespace);
    return object;
  }

  static ObjectNode runtimeClass() {
    ObjectNode object = named("gvisor").put("handler", "runsc");
    // Admission copies all of it into each pod, so that it also costs the server.
    object.withObject("/overhead/podFixed").put("cpu", "10m").put("memory", "16Mi");
    object.withObject("/scheduling/nodeSelector").put("sandboxed", "true");
    object
        .withObject("/scheduling")
        .putArray("tolerations")
        .addObject()
        .put("key", "sandboxed")
        .put("operator", "Exists");
    return object;
  }

  static ObjectNode node(int number) {
    ObjectNode node = named("n" + number);
    node.withObject("/metadata/labels")
        .put("kubernetes.io/hostname", "n" + number)
        .put("kubernetes.io/os", "linux")
        .put("sandboxed", "true");
    node.withObject("/metadata/annotations")
        .put(
            "berth.dev/runtime-services",
            "{\"containerd\":{\"workloadType\":\"container\",\"handlers\":[\"runc\",\"runsc\"],\"default\":true}}");
    node.putObject("spec")
        .putArray("taints")
        .addObject()
        .put("key", "sandboxed")
        .put("effect", "NoSchedule");
    node.withObject("/status/allocatable")
        .put("cpu", "32")
        .put("memory", "64Gi")
        .put("pods", "110");
    node.withObject("/status/capacity").put("cpu", "32").put("memory", "64Gi").put("pods", "110");
    return node;
  }

  static ObjectNode pod(String name) {
    ObjectNode pod = named("bench", name);
    ObjectNode spec = pod.putObject("spec").put("runtimeClassName", "gvisor");
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "main").put("image", "registry.example/web:1.2.3");
    container.withObject("/resources/requests").put("cpu", "100m").put("memory", "128Mi");
    return pod;
  }
}
