package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.validation.FieldError;
import java.util.List;

/// Which rules hold for a write, by the path it came through.
final class SubresourceRules {
  private SubresourceRules() {}

  static boolean isStatus(Target target) {
    return target.subresource().equals("status");
  }

  static void prepareUpdate(Target target, ObjectNode object, ObjectNode live) {
    if (isStatus(target)) {
      target.kind().strategy().prepareStatusUpdate(object, live);
    } else {
      target.kind().strategy().prepareUpdate(object, live);
    }
  }

  static List<FieldError> validateUpdate(Target target, ObjectNode object, ObjectNode live) {
    ResourceKind kind = target.kind();
    return isStatus(target)
        ? kind.validateStatusUpdate(object, live)
        : kind.validateUpdate(object, live);
  }
}
