package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.store.Entry;
import dev.berth.store.Outcome;
import java.util.List;

/// POST of a Binding: puts a pod on a node, once.
public final class Bindings {
  private static final ApiException.Resource BINDING =
      new ApiException.Resource("", "pods/binding", "Binding");

  private static final PodCondition SCHEDULED = new PodCondition("PodScheduled", "", "");

  private final ObjectStore store;
  private final ResourceKind pods;
  private final BodyDecoder bodies;
  private final BodyType type;

  /// @param pods the kind of what is bound
  Bindings(ObjectStore store, ResourceKind pods, BodyDecoder bodies, BodyType type) {
    this.store = store;
    this.pods = pods;
    this.bodies = bodies;
    this.type = type;
  }

  /// The old form, a POST to the collection: the pod has the name of the binding.
  public Answer bindNamed(Target target, Body body, WriteOptions options) {
    String name = Metadata.text(body.tree(), "name");
    if (name.isEmpty()) {
      FieldErrors errors = new FieldErrors();
      errors.required(FieldPath.of("metadata").child("name"), "name or generateName is required");
      throw ApiException.invalid(BINDING, name, errors.toList());
    }
    Target pod =
        new Target(
            pods,
            pods.storedVersion(),
            target.namespace(),
            name,
            "binding",
            target.user(),
            target.warnings(),
            target.now());
    return bind(pod, body, options);
  }

  public Answer bind(Target target, Body body, WriteOptions options) {
    ObjectNode binding = bodies.decode(type, body, options.fieldValidation(), target.warnings());
    String name = Metadata.text(binding, "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    String node = node(target, binding);
    while (true) {
      Entry<StoredObject> entry = store.get(target.kind(), target.namespace(), target.name());
      ObjectNode pod = store.tree(target.kind(), entry.value());
      checkPod(target, pod, binding);
      assign(target, pod, binding, node);
      if (options.dryRun()
          || store.replace(target.kind(), pod, entry.revision())
              instanceof Outcome.Committed<StoredObject>) {
        return new Answer.Done(201, new Status(201, "", "", Status.Details.ABSENT));
      }
    }
  }

  private static String node(Target target, ObjectNode binding) {
    JsonNode reference = binding.path("target");
    FieldErrors errors = new FieldErrors();
    String kind = reference.path("kind").asText();
    if (!kind.isEmpty() && !kind.equals("Node")) {
      errors.notSupported(FieldPath.of("target").child("kind"), kind, List.of("Node", "<empty>"));
    }
    if (reference.path("name").asText().isEmpty()) {
      errors.required(FieldPath.of("target").child("name"), "");
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid(BINDING, target.name(), errors.toList());
    }
    return reference.path("name").asText();
  }

  private static void checkPod(Target target, ObjectNode pod, ObjectNode binding) {
    String name = target.name();
    Preconditions.checkUid(target, binding, Metadata.text(pod, "uid"));
    Preconditions.checkRevision(target, binding, Metadata.text(pod, "resourceVersion"));
    if (Metadata.isBeingDeleted(pod)) {
      throw refused(name, "pod %s is being deleted, cannot be assigned to a host".formatted(name));
    }
    String assigned = pod.path("spec").path("nodeName").asText();
    if (!assigned.isEmpty()) {
      throw refused(name, "pod %s is already assigned to node \"%s\"".formatted(name, assigned));
    }
    if (!pod.path("spec").path("schedulingGates").isEmpty()) {
      throw refused(name, "pod %s has non-empty .spec.schedulingGates".formatted(name));
    }
  }

  private static ApiException refused(String name, String why) {
    return ApiException.conflict(BINDING, name, why);
  }

  private static void assign(Target target, ObjectNode pod, ObjectNode binding, String node) {
    pod.withObjectProperty("spec").put("nodeName", node);
    JsonNode annotations = binding.path("metadata").path("annotations");
    if (!annotations.isEmpty()) {
      ObjectNode merged = Metadata.of(pod).withObjectProperty("annotations");
      annotations.properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
    }
    SCHEDULED.setTrue(pod, target.now());
  }
}
