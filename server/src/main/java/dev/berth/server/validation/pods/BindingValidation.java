package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import java.util.List;

/// The rules of Binding: a pod is bound to a node and to nothing else.
public final class BindingValidation implements KindValidator {
  private static final FieldPath TARGET = FieldPath.of("target");

  @Override
  public void onCreate(ObjectNode binding, FieldErrors errors) {
    String kind = binding.path("target").path("kind").asText();
    if (!kind.isEmpty() && !kind.equals("Node")) {
      errors.notSupportedInOrder(TARGET.child("kind"), kind, List.of("Node", "<empty>"));
    }
    if (binding.path("target").path("name").asText().isEmpty()) {
      errors.required(TARGET.child("name"), "");
    }
  }

  @Override
  public void onUpdate(ObjectNode binding, ObjectNode old, FieldErrors errors) {
    throw new UnsupportedOperationException("bindings are not stored");
  }
}
