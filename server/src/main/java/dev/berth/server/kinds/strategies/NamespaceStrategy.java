package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;

/// Adds the finalizer `kubernetes`, which keeps a namespace until its content is deleted.
public final class NamespaceStrategy implements KindStrategy {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final String FINALIZER = "kubernetes";

  @Override
  public void prepareCreate(ObjectNode namespace) {
    namespace.putObject("status").put("phase", "Active");
    ArrayNode finalizers = namespace.withObject("/spec").withArray("finalizers");
    for (JsonNode finalizer : finalizers) {
      if (finalizer.asText().equals(FINALIZER)) {
        return;
      }
    }
    finalizers.add(FINALIZER);
  }

  @Override
  public void prepareUpdate(ObjectNode namespace, ObjectNode old) {
    CommonStrategy.keep("finalizers", namespace.withObject("/spec"), old.path("spec"));
  }

  /// Only `/finalize` changes `spec.finalizers`.
  @Override
  public void prepareFinalize(ObjectNode namespace, ObjectNode old) {
    CommonStrategy.keep("status", namespace, old);
  }

  /// Defaults have set the label; admission may have changed it since.
  @Override
  public void canonicalize(ObjectNode namespace) {
    ObjectNode metadata = CommonStrategy.metadata(namespace);
    metadata.withObject("/labels").put(NAME_LABEL, metadata.path("name").asText());
  }
}
