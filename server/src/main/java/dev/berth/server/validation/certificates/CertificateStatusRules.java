package dev.berth.server.validation.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules for what was decided about a request for a certificate, and for the certificate.
final class CertificateStatusRules {
  // KEP-1513: these are final. They can only be true, and none is ever taken back, because others
  // have acted on them.
  private static final Set<String> LASTING = Set.of("Approved", "Denied", "Failed");
  private static final FieldPath CONDITIONS = FieldPath.of("status").child("conditions");
  private static final FieldPath CERTIFICATE = FieldPath.of("status").child("certificate");

  private CertificateStatusRules() {}

  static void check(ObjectNode request, FieldErrors errors) {
    JsonNode conditions = request.path("status").path("conditions");
    Set<String> types = new HashSet<>();
    for (int i = 0; i < conditions.size(); i++) {
      checkCondition(conditions.get(i), CONDITIONS.index(i), types, errors);
    }
    // A request with both would be approved for one reader and denied for another.
    if (types.contains("Approved") && types.contains("Denied")) {
      errors.invalid(CONDITIONS, "Denied", "Approved and Denied conditions are mutually exclusive");
    }
    checkCertificate(request.path("status").path("certificate").asText(""), errors);
  }

  private static void checkCondition(
      JsonNode condition, FieldPath path, Set<String> types, FieldErrors errors) {
    String type = condition.path("type").asText("");
    if (type.isEmpty()) {
      errors.required(path.child("type"), "");
    } else if (!types.add(type)) {
      errors.duplicate(path.child("type"), type);
    }
    String status = condition.path("status").asText("");
    List<String> allowed =
        LASTING.contains(type) ? List.of("True") : List.of("False", "True", "Unknown");
    if (status.isEmpty()) {
      errors.required(path.child("status"), "");
    } else if (!allowed.contains(status)) {
      errors.notSupported(path.child("status"), status, allowed);
    }
  }

  private static void checkCertificate(String encoded, FieldErrors errors) {
    if (encoded.isEmpty()) {
      return;
    }
    try {
      byte[] pem = Base64.getDecoder().decode(encoded);
      boolean hasOthers =
          PemBlocks.decode(new String(pem, StandardCharsets.US_ASCII)).stream()
              .anyMatch(block -> !block.type().equals(PemBlocks.CERTIFICATE));
      // A private key in this field would be published to everybody who may read requests.
      if (hasOthers || KeyMaterial.certificates(pem).isEmpty()) {
        throw new CertificateException("none, or not only certificates");
      }
    } catch (CertificateException | IllegalArgumentException _) {
      errors.invalid(
          CERTIFICATE, "<certificate data>", "must contain at least one CERTIFICATE PEM block");
    }
  }

  static void checkRemoved(ObjectNode request, ObjectNode old, FieldErrors errors) {
    Set<String> now = types(request);
    types(old).stream()
        .filter(type -> LASTING.contains(type) && !now.contains(type))
        .sorted()
        .forEach(
            type ->
                errors.forbidden(
                    CONDITIONS,
                    "updates may not remove a condition of type \"%s\"".formatted(type)));
  }

  /// Checks that no decision is added here, because approval has its own subresource and
  /// permission.
  static void checkDecisions(ObjectNode request, ObjectNode old, FieldErrors errors) {
    Set<String> before = types(old);
    types(request).stream()
        .filter(
            type -> (type.equals("Approved") || type.equals("Denied")) && !before.contains(type))
        .sorted()
        .forEach(
            type ->
                errors.forbidden(
                    CONDITIONS, "updates may not add a condition of type \"%s\"".formatted(type)));
  }

  /// A certificate that was handed out must not be replaced under the same request.
  static void checkCertificateChange(ObjectNode request, ObjectNode old, FieldErrors errors) {
    String before = old.path("status").path("certificate").asText("");
    String now = request.path("status").path("certificate").asText("");
    if (before.isEmpty() || before.equals(now)) {
      return;
    }
    errors.forbidden(
        CERTIFICATE,
        now.isEmpty()
            ? "updates may not clear certificate content"
            : "updates may not modify existing certificate content");
  }

  private static Set<String> types(ObjectNode request) {
    Set<String> types = new HashSet<>();
    request
        .path("status")
        .path("conditions")
        .forEach(condition -> types.add(condition.path("type").asText("")));
    return types;
  }
}
