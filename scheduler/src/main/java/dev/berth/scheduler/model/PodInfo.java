package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.HostPort;
import dev.berth.api.pods.PodView;
import dev.berth.client.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The fields of a pod that decide about its placement. They do not change by scheduling attempts
/// or while the pod runs.
///
/// @param isGated whether the pod has scheduling gates
/// @param requests the resources that it takes from a node, overhead included
/// @param owner the uid of its controller, empty for none
public record PodInfo(
    ObjectKey key,
    String uid,
    Map<String, String> labels,
    String schedulerName,
    boolean isGated,
    PodRequirements needs,
    ResourceVector requests,
    long assumedCpu,
    long assumedMemory,
    Set<HostPort> ports,
    List<String> images,
    PodAffinity affinity,
    List<SpreadConstraint> spread,
    String owner) {
  public static final String DEFAULT_SCHEDULER = "default-scheduler";

  public static PodInfo parse(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode spec = pod.path("spec");
    String namespace = metadata.path("namespace").asText();
    Map<String, String> labels = ObjectTrees.texts(metadata.path("labels"));
    PodView view = PodView.of(spec);
    PodRequests requests = PodRequests.of(view);
    return new PodInfo(
        new ObjectKey(namespace, metadata.path("name").asText()),
        metadata.path("uid").asText(),
        labels,
        spec.path("schedulerName").asText(DEFAULT_SCHEDULER),
        !spec.path("schedulingGates").isEmpty(),
        PodRequirements.parse(pod),
        requests.real(),
        requests.assumedCpu(),
        requests.assumedMemory(),
        HostPort.of(view),
        images(spec),
        PodAffinity.parse(spec.path("affinity"), namespace),
        SpreadConstraint.parseAll(spec.path("topologySpreadConstraints"), labels),
        owner(metadata.path("ownerReferences")));
  }

  /// Whether its placement depends on the placement of other pods.
  public boolean dependsOnOtherPods() {
    return !affinity.isNone() || !spread.isEmpty();
  }

  private static List<String> images(JsonNode spec) {
    List<String> images = new ArrayList<>();
    // Without init containers: those images are only needed once.
    for (JsonNode container : spec.path("containers")) {
      images.add(ImageNames.normal(container.path("image").asText()));
    }
    return List.copyOf(images);
  }

  private static String owner(JsonNode references) {
    for (JsonNode reference : references) {
      if (reference.path("controller").asBoolean()) {
        return reference.path("uid").asText();
      }
    }
    return "";
  }
}
