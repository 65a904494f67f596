package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.validation.FieldError;
import java.util.List;

/// Selects the rules of a write by its subresource.
///
/// A new subresource with rules needs a line in both methods; the default is the main resource.
/// Strategies keep what the subresource must not change, so that a write to `/status` never touches
/// the specification.
final class SubresourceRules {
  private SubresourceRules() {}

  static boolean isStatus(RequestTarget target) {
    return target.subresource().equals("status");
  }

  static void prepareUpdate(RequestTarget target, ObjectNode object, ObjectNode live) {
    KindStrategy strategy = target.kind().strategy();
    switch (target.subresource()) {
      case "status" -> strategy.prepareStatusUpdate(object, live);
      case "approval" -> strategy.prepareApproval(object, live);
      case "finalize" -> strategy.prepareFinalize(object, live);
      case "ephemeralcontainers" -> strategy.prepareEphemeralContainersUpdate(object, live);
      case "resize" -> strategy.prepareResize(object, live);
      default -> strategy.prepareUpdate(object, live);
    }
  }

  static List<FieldError> validateUpdate(RequestTarget target, ObjectNode object, ObjectNode live) {
    ResourceKind kind = target.kind();
    return switch (target.subresource()) {
      case "status" -> kind.validateStatusUpdate(object, live);
      case "approval" -> kind.validateApproval(object, live);
      case "finalize" -> kind.validateFinalize(object, live);
      case "ephemeralcontainers" -> kind.validateEphemeralContainersUpdate(object, live);
      case "resize" -> kind.validateResize(object, live);
      default -> kind.validateUpdate(target.version(), object, live);
    };
  }
}
