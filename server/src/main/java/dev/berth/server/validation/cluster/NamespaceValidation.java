package dev.berth.server.validation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.FinalizerRules;
import dev.berth.server.validation.fields.NameRules;

/// The rules of Namespace.
public final class NamespaceValidation implements KindValidator {
  private static final FieldPath FINALIZERS = FieldPath.of("spec").child("finalizers");
  // With a capital letter in upstream's messages, unlike the field.
  private static final FieldPath PHASE = FieldPath.of("status").child("Phase");

  @Override
  public void onCreate(ObjectNode namespace, FieldErrors errors) {
    for (JsonNode finalizer : namespace.path("spec").path("finalizers")) {
      checkFinalizer(finalizer.asText(), FINALIZERS, errors);
    }
  }

  private static void checkFinalizer(String name, FieldPath path, FieldErrors errors) {
    int before = errors.size();
    errors.invalid(path, name, NameRules.qualifiedName(name));
    if (errors.size() == before) {
      FinalizerRules.checkStandard(name, path, errors);
    }
  }

  @Override
  public void onUpdate(ObjectNode namespace, ObjectNode old, FieldErrors errors) {
    onCreate(namespace, errors);
  }

  /// The phase follows from the deletion, so both must agree.
  @Override
  public void onStatusUpdate(ObjectNode namespace, ObjectNode old, FieldErrors errors) {
    String phase = namespace.path("status").path("phase").asText();
    boolean deleting = namespace.path("metadata").hasNonNull("deletionTimestamp");
    if (!deleting && !phase.equals("Active")) {
      errors.invalid(PHASE, phase, "may only be 'Active' if `deletionTimestamp` is empty");
    }
    if (deleting && !phase.equals("Terminating")) {
      errors.invalid(PHASE, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
    }
  }

  @Override
  public void onFinalize(ObjectNode namespace, FieldErrors errors) {
    JsonNode finalizers = namespace.path("spec").path("finalizers");
    for (int i = 0; i < finalizers.size(); i++) {
      checkFinalizer(finalizers.get(i).asText(), FINALIZERS.index(i), errors);
    }
  }
}
