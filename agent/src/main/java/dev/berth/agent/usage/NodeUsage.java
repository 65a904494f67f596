package dev.berth.agent.usage;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The usage of a node and its containers at one moment, over all runtime services.
///
/// @param machine the whole machine, pods or not
/// @param silent services that did not answer
public record NodeUsage(
    String node,
    Instant time,
    ResourceUsage machine,
    List<ContainerUsage> containers,
    List<String> silent) {
  public NodeUsage {
    containers = List.copyOf(containers);
    silent = List.copyOf(silent);
  }

  /// The sum of all pods over all services.
  public ResourceUsage ofPods() {
    return sum(containers);
  }

  /// The sum of pods by service.
  public Map<String, ResourceUsage> ofServices() {
    Map<String, ResourceUsage> services = new TreeMap<>();
    containers.forEach(one -> services.merge(one.service(), one.use(), ResourceUsage::plus));
    return services;
  }

  public static ResourceUsage sum(List<ContainerUsage> some) {
    return some.stream().map(ContainerUsage::use).reduce(ResourceUsage.NONE, ResourceUsage::plus);
  }

  /// Containers of all services by pod UID.
  public Map<String, List<ContainerUsage>> byPod() {
    Map<String, List<ContainerUsage>> pods = new LinkedHashMap<>();
    containers.forEach(
        one -> pods.computeIfAbsent(one.podUid(), _ -> new java.util.ArrayList<>()).add(one));
    return pods;
  }

  /// The text of `/metrics/resource`.
  public byte[] resourceMetrics() {
    ResourceText text = new ResourceText(time);
    text.pair("node", machine, "");
    ofServices()
        .forEach(
            (name, use) -> text.pair("berth_runtime_service", use, "service=\"" + name + "\""));
    containers.forEach(
        one -> {
          String labels =
              "container=\"%s\",namespace=\"%s\",pod=\"%s\""
                  .formatted(one.container(), one.namespace(), one.pod());
          text.pair("container", one.use(), labels);
          text.start(one.madeAt(), labels);
        });
    byPod()
        .values()
        .forEach(
            some ->
                text.pair(
                    "pod",
                    sum(some),
                    "namespace=\"%s\",pod=\"%s\""
                        .formatted(some.getFirst().namespace(), some.getFirst().pod())));
    return text.end(!silent.isEmpty()).getBytes(StandardCharsets.UTF_8);
  }
}
