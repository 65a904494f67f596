package dev.berth.scheduler.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Pods, nodes and classes for tests, written as JSON with single quotes.
public final class TestObjects {
  private static final JsonMapper MAPPER = new JsonMapper();

  private TestObjects() {}

  public static ObjectNode json(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /// A pod of one container that requests nothing, with more or other fields of its spec.
  public static ObjectNode podTree(String name, String spec) {
    ObjectNode pod =
        json("{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'default'},'spec':{}}");
    ((ObjectNode) pod.get("metadata")).put("name", name).put("uid", "uid-of-" + name);
    ObjectNode given = json("{" + spec + "}");
    if (!given.has("containers")) {
      given.putArray("containers").addObject().put("name", "main").put("image", "web:1");
    }
    pod.set("spec", given);
    return pod;
  }

  public static PodInfo pod(String name, String spec) {
    return PodInfo.parse(podTree(name, spec));
  }

  /// A pod that admission steered, with an image of one platform.
  public static PodInfo podOfImage(String name, String spec, String platform) {
    ObjectNode pod = podTree(name, spec);
    pod.withObject("/metadata/annotations")
        .put("berth.dev/image-platforms", json("{'web:1':['%s']}".formatted(platform)).toString());
    return PodInfo.parse(pod);
  }

  /// A pod that requests CPU in thousandths and memory in MiB.
  public static PodInfo pod(String name, int cpu, int memory) {
    return pod(name, requests(cpu, memory));
  }

  public static String requests(int cpu, int memory) {
    return "'containers':[{'name':'main','image':'web:1','resources':{'requests':{'cpu':'%dm','memory':'%dMi'}}}]"
        .formatted(cpu, memory);
  }

  /// A node of 4 CPUs, 8 GiB and 110 pods with the labels that agents set.
  public static ObjectNode nodeTree(String name) {
    ObjectNode node =
        json(
            "{'apiVersion':'v1','kind':'Node','metadata':{},'spec':{},"
                + "'status':{'allocatable':{'cpu':'4','memory':'8Gi','pods':'110'}}}");
    ((ObjectNode) node.get("metadata")).put("name", name);
    ObjectNode labels = ((ObjectNode) node.get("metadata")).putObject("labels");
    labels
        .put("kubernetes.io/hostname", name)
        .put("kubernetes.io/os", "linux")
        .put("kubernetes.io/arch", "amd64");
    return node;
  }

  public static NodeInfo node(String name) {
    return NodeInfo.parse(nodeTree(name));
  }

  public static NodeInfo node(String name, String merged) {
    return NodeInfo.parse(nodeTree(name, merged));
  }

  /// A node with more fields merged in.
  public static ObjectNode nodeTree(String name, String merged) {
    ObjectNode node = nodeTree(name);
    merge(node, json("{" + merged + "}"));
    return node;
  }

  private static void merge(ObjectNode into, ObjectNode from) {
    from.properties()
        .forEach(
            entry -> {
              if (entry.getValue() instanceof ObjectNode inner
                  && into.get(entry.getKey()) instanceof ObjectNode present) {
                merge(present, inner);
              } else {
                into.set(entry.getKey(), entry.getValue());
              }
            });
  }

  /// The fields of a node with one runtime service.
  ///
  /// @param handlers separated by commas
  public static String service(String name, String type, String handlers, boolean ready) {
    String list = "[\\\"" + handlers.replace(",", "\\\",\\\"") + "\\\"]";
    return ("'metadata':{'annotations':{'berth.dev/runtime-services':'{\\\"%s\\\":{\\\"workloadType\\\":\\\"%s\\\",\\\"handlers\\\":%s,"
            + "\\\"default\\\":true}}'}},'status':{'conditions':[{'type':'RuntimeReady-%s','status':'%s'}]}")
        .formatted(name, type, list, name, ready ? "True" : "False");
  }

  public static ObjectNode classTree(String name, String handler) {
    return json("{'metadata':{'name':'%s'},'handler':'%s'}".formatted(name, handler));
  }
}
