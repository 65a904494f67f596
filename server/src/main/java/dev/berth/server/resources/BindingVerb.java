package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.images.ImageBindingCheck;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.store.StoreEntry;
import dev.berth.store.WriteOutcome;
import java.util.List;

/// POST of a Binding: binds a pod to a node, once.
///
/// The scheduler calls it. A second binding of a pod is refused with 409, also under a race of two
/// schedulers: the write is conditional on the revision that was checked, and the loop reads and
/// checks again after a concurrent write. The pod is not validated again and its managed fields
/// stay, because only `nodeName`, annotations and one condition change.
public final class BindingVerb {
  private static final ApiException.Resource BINDING =
      new ApiException.Resource("", "pods/binding", "Binding");

  private static final PodCondition SCHEDULED = new PodCondition("PodScheduled", "", "");

  private final ObjectStore store;
  private final ResourceKind pods;
  private final BodyDecoder bodies;
  private final BodyType type;
  private final ImageBindingCheck images;

  /// @param pods the kind Pod
  BindingVerb(
      ObjectStore store,
      ResourceKind pods,
      BodyDecoder bodies,
      BodyType type,
      ImageBindingCheck images) {
    this.store = store;
    this.pods = pods;
    this.bodies = bodies;
    this.type = type;
    this.images = images;
  }

  /// The deprecated POST to the collection of bindings: the binding's name is the pod's.
  public VerbAnswer bindNamed(RequestTarget target, RequestBody body, WriteOptions options) {
    String name = ObjectMetadata.text(body.tree(), "name");
    if (name.isEmpty()) {
      FieldErrors errors = new FieldErrors();
      errors.required(FieldPath.of("metadata").child("name"), "name or generateName is required");
      throw ApiException.invalid(BINDING, name, errors.toList());
    }
    RequestTarget pod =
        new RequestTarget(
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

  public VerbAnswer bind(RequestTarget target, RequestBody body, WriteOptions options) {
    ObjectNode binding = bodies.decode(type, body, options.fieldValidation(), target.warnings());
    String name = ObjectMetadata.text(binding, "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    String node = node(target, binding);
    // A concurrent write, such as a change of labels, does not matter; the checks run again on the
    // new object.
    while (true) {
      StoreEntry<StoredObject> entry = store.get(target.kind(), target.namespace(), target.name());
      ObjectNode pod = store.tree(target.kind(), entry.value());
      checkPod(target, pod, binding);
      images
          .refusal(pod, node)
          .ifPresent(
              why -> {
                throw refused(target.name(), "node %s can't run it: %s".formatted(node, why));
              });
      assign(target, pod, binding, node);
      if (options.dryRun()
          || store.replace(target.kind(), pod, entry.revision())
              instanceof WriteOutcome.Committed<StoredObject>) {
        return new VerbAnswer.Done(201, new ApiStatus(201, "", "", ApiStatus.Details.ABSENT));
      }
    }
  }

  private static String node(RequestTarget target, ObjectNode binding) {
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

  private static void checkPod(RequestTarget target, ObjectNode pod, ObjectNode binding) {
    String name = target.name();
    WritePreconditions.checkUid(target, binding, ObjectMetadata.text(pod, "uid"));
    WritePreconditions.checkRevision(target, binding, ObjectMetadata.text(pod, "resourceVersion"));
    if (ObjectMetadata.isBeingDeleted(pod)) {
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

  private static void assign(
      RequestTarget target, ObjectNode pod, ObjectNode binding, String node) {
    pod.withObjectProperty("spec").put("nodeName", node);
    JsonNode annotations = binding.path("metadata").path("annotations");
    if (!annotations.isEmpty()) {
      ObjectNode merged = ObjectMetadata.of(pod).withObjectProperty("annotations");
      annotations.properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
    }
    SCHEDULED.setTrue(pod, target.now());
  }
}
