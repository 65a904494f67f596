package dev.berth.controllers.workloads;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectCodec;
import dev.berth.client.ObjectKey;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/// Reads only the fields of pods that controllers need and skips the rest: pods are the most
/// numerous and the largest objects, and change often. A field that [WorkloadPod] begins to read
/// must be added here, or it is always missing.
final class PodCodec implements ObjectCodec<WorkloadPod> {
  private static final Map<String, Set<String>> READ =
      Map.of(
          "metadata",
          Set.of(
              "name",
              "namespace",
              "uid",
              "resourceVersion",
              "creationTimestamp",
              "deletionTimestamp",
              "labels",
              "annotations",
              "ownerReferences"),
          "spec",
          Set.of("nodeName", "affinity"),
          "status",
          Set.of("phase", "conditions", "containerStatuses"));

  @Override
  public WorkloadPod read(JsonParser parser) throws IOException {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String part = parser.currentName();
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      Set<String> wanted = READ.get(part);
      if (isObject && wanted != null) {
        readPart(parser, pod.putObject(part), wanted);
      } else {
        parser.skipChildren();
      }
    }
    return WorkloadPod.of(pod);
  }

  private static void readPart(JsonParser parser, ObjectNode into, Set<String> wanted)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      if (wanted.contains(field)) {
        JsonNode value = parser.readValueAsTree();
        into.set(field, value);
      } else {
        parser.skipChildren();
      }
    }
  }

  @Override
  public byte[] write(WorkloadPod pod) {
    throw new UnsupportedOperationException("WorkloadPod cannot be encoded as a pod");
  }

  @Override
  public ObjectKey key(WorkloadPod pod) {
    return pod.key();
  }

  @Override
  public String resourceVersion(WorkloadPod pod) {
    return pod.identity().resourceVersion();
  }
}
