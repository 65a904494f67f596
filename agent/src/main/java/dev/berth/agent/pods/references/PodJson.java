package dev.berth.agent.pods.references;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;

/// Converts pods between JSON and the model's classes.
public final class PodJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          // API servers write `"containers": null` for a pod without any.
          .withConfigOverride(
              List.class,
              lists -> lists.setSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.SKIP)))
          .build();

  private static final List<String> SHOWN =
      List.of("/metadata/labels", "/metadata/annotations", "/spec");

  private PodJson() {}

  public static Pod pod(JsonNode tree) {
    try {
      return MAPPER.treeToValue(tree, Pod.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a pod: " + e.getOriginalMessage(), e);
    }
  }

  public static ObjectNode tree(Pod pod) {
    return MAPPER.valueToTree(pod);
  }

  /// The fields of a specification that restrict the pod's nodes.
  public static JsonNode placement(PodSpec spec) {
    ObjectNode desiredStates = MAPPER.createObjectNode();
    desiredStates.set("nodeSelector", MAPPER.valueToTree(spec.getNodeSelector()));
    desiredStates.set("affinity", MAPPER.valueToTree(spec.getAffinity()));
    desiredStates.set("tolerations", MAPPER.valueToTree(spec.getTolerations()));
    return desiredStates;
  }

  /// Whether more than the status changed, so that volumes may have to change.
  public static boolean isOther(JsonNode before, JsonNode now) {
    return SHOWN.stream().anyMatch(part -> !before.at(part).equals(now.at(part)));
  }

  public static ObjectKey key(Pod pod) {
    return new ObjectKey(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
  }

  public static JsonNode status(Pod pod) {
    return pod.getStatus() == null
        ? MAPPER.createObjectNode()
        : MAPPER.valueToTree(pod.getStatus());
  }

  public static Pod withStatus(Pod pod, JsonNode status) {
    try {
      return new PodBuilder(pod).withStatus(MAPPER.treeToValue(status, PodStatus.class)).build();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a status: " + e.getOriginalMessage(), e);
    }
  }
}
