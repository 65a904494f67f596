package dev.berth.controllers.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.MalformedRequestException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// A CertificateSigningRequest as the controllers read it. The object is shared with the cache;
/// `with` changes a copy.
record SigningRequest(ObjectNode object) {
  String name() {
    return object.path("metadata").path("name").asText();
  }

  String username() {
    return object.path("spec").path("username").asText();
  }

  Optional<CertificateSigner> signer() {
    return CertificateSigner.named(object.path("spec").path("signerName").asText());
  }

  List<String> usages() {
    List<String> usages = new ArrayList<>();
    object.path("spec").path("usages").forEach(usage -> usages.add(usage.asText()));
    return usages;
  }

  CertificateRequest parsed() throws MalformedRequestException {
    byte[] pem = Base64.getDecoder().decode(object.path("spec").path("request").asText());
    return CertificateRequest.parse(new String(pem, StandardCharsets.ISO_8859_1));
  }

  boolean is(String conditionType) {
    return condition(conditionType).isPresent();
  }

  Optional<JsonNode> condition(String type) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  boolean isIssued() {
    return !object.path("status").path("certificate").asText("").isEmpty();
  }

  Instant created() {
    return instant(object.path("metadata").path("creationTimestamp"));
  }

  /// The time at which a condition was set; the object's creation time where the condition has
  /// none.
  Instant since(JsonNode condition) {
    JsonNode time = condition.path("lastUpdateTime");
    return time.isTextual() ? instant(time) : created();
  }

  /// A time that cannot be read lies in the far future, so that nothing is removed because of it.
  private static Instant instant(JsonNode time) {
    try {
      return Instant.parse(time.asText());
    } catch (DateTimeException _) {
      return Instant.MAX;
    }
  }

  /// A copy with one more condition.
  ObjectNode with(String type, String reason, String message) {
    ObjectNode copy = object.deepCopy();
    ObjectNode status = copy.withObjectProperty("status");
    ArrayNode conditions =
        status.path("conditions") instanceof ArrayNode list ? list : status.putArray("conditions");
    conditions
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message);
    return copy;
  }
}
