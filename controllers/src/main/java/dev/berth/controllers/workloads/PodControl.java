package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerEvents;
import java.util.random.RandomGenerator;

/// Creates and deletes the pods of owners, and records expectations.
public final class PodControl {
  /// A pod's name is also its host name, a label of at most 63 characters: the base, a dash and
  /// five random characters.
  private static final int LONGEST_BASE = 57;

  private final ApiClient client;
  private final PodCache cache;
  private final ControllerExpectations expectations;
  private final ControllerEvents recorder;
  private final RandomGenerator random;

  public PodControl(ControllerContext context, PodCache cache, ControllerEvents recorder) {
    this.client = context.client();
    this.cache = cache;
    this.expectations = new ControllerExpectations(context.clock());
    this.recorder = recorder;
    this.random = context.random();
    cache.addHandler(expectations::saw);
  }

  /// Whether the cache shows all creations and deletions for the owner; until then nothing may be
  /// decided.
  public boolean isCacheCurrent(WorkloadOwner owner) {
    return expectations.areMet(owner.uid(), key -> cache.live().find(key));
  }

  /// A pod of the owner's template, without a name.
  public static ObjectNode fromTemplate(WorkloadOwner owner) {
    JsonNode template = owner.tree().path("spec").path("template");
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata");
    for (String field : new String[] {"labels", "annotations", "finalizers"}) {
      JsonNode value = template.path("metadata").path(field);
      if (!value.isMissingNode()) {
        metadata.set(field, value.deepCopy());
      }
    }
    metadata.putArray("ownerReferences").add(owner.reference());
    pod.set("spec", template.path("spec").deepCopy());
    return pod;
  }

  /// The name is generated here, not by the server, so that it is known even if the answer is lost.
  public void create(WorkloadOwner owner, ObjectNode pod) {
    ObjectKey key = owner.identity().key();
    String base = key.name().substring(0, Math.min(key.name().length(), LONGEST_BASE)) + "-";
    ObjectKey name = new ObjectKey(key.namespace(), base + GeneratedNames.suffix(random));
    pod.withObject("/metadata")
        .put("namespace", name.namespace())
        .put("name", name.name())
        .put("generateName", base);
    // Before the request: the watch may deliver the pod before the answer arrives.
    expectations.creating(owner.uid(), name);
    try {
      client.json(ResourceType.PODS).create(pod);
    } catch (ApiException e) {
      // Only a refusal proves that no pod was created. Other failures keep the expectation.
      expectations.cancelCreation(name);
      if (e.hasCause("NamespaceTerminating")) {
        // The namespace is terminating with the owner; there is nothing to do or to report.
        return;
      }
      recorder.warning(owner.tree(), "FailedCreate", "Error creating: " + e.getMessage());
      throw e;
    }
    recorder.normal(owner.tree(), "SuccessfulCreate", "Created pod: " + name.name());
  }

  public void delete(WorkloadOwner owner, WorkloadPod pod) {
    expectations.deleting(owner.uid(), pod.key(), pod.uid());
    try {
      client.json(ResourceType.PODS).delete(pod.key(), DeleteOptions.ofUid(pod.uid()));
    } catch (ApiException e) {
      expectations.cancelDeletion(pod.key(), pod.uid());
      // The pod is gone, or a new one has its name.
      if (e.isNotFound() || e.isConflict()) {
        return;
      }
      recorder.warning(
          owner.tree(),
          "FailedDelete",
          "Error deleting pod %s: %s".formatted(pod.key().name(), e.getMessage()));
      throw e;
    }
    recorder.normal(owner.tree(), "SuccessfulDelete", "Deleted pod: " + pod.key().name());
  }
}
