package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.NodeTerm;
import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.Toleration;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.WorkloadType;
import dev.berth.registry.placement.PodImagePlatforms;
import java.util.ArrayList;
import java.util.List;

/// A pod's requirements on the static properties of a node; pods with equal requirements get equal
/// verdicts from nodes of one shape.
///
/// @param platform the operating system, its version and the architecture
/// @param runtime class, service and workload type
/// @param images what the images of a steered pod have; empty for other pods
/// @param unprovided the features that Berth's agents do not provide, as text for the pod's event
public record PodRequirements(
    RequiredNodeAffinity nodes,
    List<Preference> preferred,
    List<Toleration> tolerations,
    PodPlatform platform,
    PodRuntime runtime,
    PodImagePlatforms images,
    List<String> unprovided) {
  /// Volume types, beside claims, that Berth's agent does not mount.
  private static final List<String> UNPROVIDED_VOLUMES =
      List.of("ephemeral", "csi", "nfs", "iscsi", "fc", "rbd", "cephfs", "image");

  /// A preferred node affinity term.
  public record Preference(int weight, NodeTerm term) {}

  static PodRequirements parse(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    JsonNode affinity = spec.path("affinity").path("nodeAffinity");
    return new PodRequirements(
        RequiredNodeAffinity.parse(spec),
        ObjectTrees.each(
            affinity.path("preferredDuringSchedulingIgnoredDuringExecution"),
            item ->
                new Preference(
                    item.path("weight").asInt(), NodeTerm.parse(item.path("preference")))),
        ObjectTrees.each(spec.path("tolerations"), Toleration::parse),
        PodPlatform.parse(spec),
        PodRuntime.of(pod),
        PodImagePlatforms.of(pod.path("metadata").path("annotations")),
        unprovided(spec));
  }

  private static List<String> unprovided(JsonNode spec) {
    List<String> demands = new ArrayList<>();
    for (JsonNode volume : spec.path("volumes")) {
      if (volume.has("persistentVolumeClaim")) {
        String claim = volume.path("persistentVolumeClaim").path("claimName").asText();
        demands.add("persistentvolumeclaim \"%s\"".formatted(claim));
      }
      for (String type : UNPROVIDED_VOLUMES) {
        if (volume.has(type)) {
          demands.add("%s volume \"%s\"".formatted(type, volume.path("name").asText()));
        }
      }
    }
    for (JsonNode claim : spec.path("resourceClaims")) {
      demands.add("resourceclaim \"%s\"".formatted(claim.path("name").asText()));
    }
    return List.copyOf(demands);
  }

  /// The RuntimeClass, empty for none.
  public String className() {
    return runtime.className();
  }

  /// The requested runtime service by name, empty for none.
  public String serviceName() {
    return runtime.serviceName();
  }

  public WorkloadType workload() {
    return runtime.workloadType();
  }

  /// Whether the pod asks for the default service of its workload type, whatever that is called.
  public boolean asksForDefaultService() {
    return runtime.asksForDefaultService();
  }

  /// Whether the verdict may differ between nodes that differ in their names only.
  public boolean distinguishesNodes() {
    return nodes.distinguishesNodes()
        || preferred.stream().anyMatch(preference -> preference.term().distinguishesNodes());
  }
}
