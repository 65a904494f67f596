package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;

/// A request for a certificate stays as it was made; only decisions and the certificate are added.
public final class CertificateStrategy implements KindStrategy {
  @Override
  public void prepareUpdate(ObjectNode request, ObjectNode old) {
    CommonStrategy.keep("spec", request, old);
  }

  /// Who may approve writes conditions and not the certificate.
  @Override
  public void prepareApproval(ObjectNode request, ObjectNode old) {
    JsonNode conditions = request.path("status").path("conditions");
    CommonStrategy.keep("status", request, old);
    ObjectNode status = request.withObjectProperty("status");
    if (conditions.isArray()) {
      status.set("conditions", conditions);
    } else {
      status.remove("conditions");
    }
  }

  /// Who signs writes the certificate and not what was decided: decisions stay word for word. One
  /// that is added or left out is refused by the validation.
  @Override
  public void prepareStatusUpdate(ObjectNode request, ObjectNode old) {
    if (!(request.path("status").path("conditions") instanceof ArrayNode conditions)) {
      return;
    }
    for (int i = 0; i < conditions.size(); i++) {
      JsonNode condition = conditions.get(i);
      for (JsonNode before : old.path("status").path("conditions")) {
        if (isDecision(condition) && before.path("type").equals(condition.path("type"))) {
          conditions.set(i, before.deepCopy());
        }
      }
    }
  }

  private static boolean isDecision(JsonNode condition) {
    String type = condition.path("type").asText();
    return type.equals("Approved") || type.equals("Denied");
  }
}
