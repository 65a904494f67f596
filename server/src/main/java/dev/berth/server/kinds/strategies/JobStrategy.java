package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;
import java.util.List;

/// Generates unique pod labels and the selector of a Job.
///
/// The UID makes the selector unique, so no other job or later job of the same name counts these
/// pods. Both old and new labels are set, because clients select by either.
public final class JobStrategy implements KindStrategy {
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
  private static final String NAME_LABEL = "batch.kubernetes.io/job-name";
  private static final List<String> UID_LABELS = List.of("controller-uid", UID_LABEL);
  private static final List<String> NAME_LABELS = List.of("job-name", NAME_LABEL);

  @Override
  public void prepareCreate(ObjectNode job) {
    ObjectNode spec = job.withObject("/spec");
    if (spec.path("manualSelector").asBoolean()) {
      return;
    }
    ObjectNode metadata = CommonStrategy.metadata(job);
    ObjectNode templateMetadata = spec.withObject("/template").withObject("/metadata");
    JsonNode given = templateMetadata.path("labels").deepCopy();
    String uid = metadata.path("uid").asText();
    String name = metadata.path("name").asText();

    ObjectNode labels = templateMetadata.withObject("/labels");
    UID_LABELS.forEach(label -> putIfAbsent(labels, label, uid));
    NAME_LABELS.forEach(label -> putIfAbsent(labels, label, name));
    putIfAbsent(spec.withObject("/selector").withObject("/matchLabels"), UID_LABEL, uid);
    // Labels that were defaulted from the template stay equal to the template's.
    if (!given.isEmpty() && given.equals(metadata.path("labels"))) {
      metadata.set("labels", labels.deepCopy());
    }
  }

  private static void putIfAbsent(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }
}
