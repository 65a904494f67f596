package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;

/// A CertificateSigningRequest is immutable except for its conditions and certificate.
///
/// A request that could change after its approval would get a certificate that nobody approved.
public final class CertificateStrategy implements KindStrategy {
  @Override
  public void prepareUpdate(ObjectNode request, ObjectNode old) {
    CommonStrategy.keep("spec", request, old);
  }

  /// `/approval` writes conditions and not the certificate.
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

  /// `/status` writes the certificate; approval conditions stay unchanged. Validation rejects added
  /// or removed ones.
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
