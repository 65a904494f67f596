package dev.berth.server.validation.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.MalformedRequestException;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.NameRules;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of CertificateSigningRequest; those of its status are in [CertificateStatusRules].
///
/// Upstream's `ValidateCertificateSigningRequestCreate` and its relatives for the subresources. Who
/// may approve or sign for a signer is an authorization check of admission, not a rule of the
/// object.
public final class CertificateRequestValidation implements KindValidator {
  // Accepted in v1beta1 only, which is not served.
  private static final String LEGACY = "kubernetes.io/legacy-unknown";

  /// Upstream's minimum of `expirationSeconds`.
  // KEP-2784. There is no maximum: the signer may always issue for less.
  private static final long SHORTEST = 600;

  // A DNS subdomain, a slash, and a path of five labels, as upstream counts.
  private static final int LONGEST_SIGNER = 253 + 1 + 63 * 5;

  private static final List<String> USAGES =
      List.of(
          "any",
          "cert sign",
          "client auth",
          "code signing",
          "content commitment",
          "crl sign",
          "data encipherment",
          "decipher only",
          "digital signature",
          "email protection",
          "encipher only",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "key agreement",
          "key encipherment",
          "microsoft sgc",
          "netscape sgc",
          "ocsp signing",
          "s/mime",
          "server auth",
          "signing",
          "timestamping");

  @Override
  public void onCreate(ObjectNode request, FieldErrors errors) {
    JsonNode spec = request.path("spec");
    FieldPath path = FieldPath.of("spec");
    checkRequest(spec.path("request").asText(""), path.child("request"), errors);
    checkUsages(spec.path("usages"), path.child("usages"), errors);
    String signer = spec.path("signerName").asText("");
    if (signer.equals(LEGACY)) {
      errors.invalid(
          path.child("signerName"),
          signer,
          "the legacy signerName is not allowed via this API version");
    } else {
      checkSigner(signer, path.child("signerName"), errors);
    }
    JsonNode seconds = spec.path("expirationSeconds");
    if (seconds.isNumber() && seconds.asLong() < SHORTEST) {
      errors.invalid(
          path.child("expirationSeconds"),
          seconds.asLong(),
          "may not specify a duration less than 600 seconds (10 minutes)");
    }
    CertificateStatusRules.check(request, errors);
  }

  /// Neither spec nor status change through the main resource.
  @Override
  public void onUpdate(ObjectNode request, ObjectNode old, FieldErrors errors) {}

  @Override
  public void onApproval(ObjectNode request, ObjectNode old, FieldErrors errors) {
    CertificateStatusRules.check(request, errors);
    CertificateStatusRules.checkRemoved(request, old, errors);
  }

  @Override
  public void onStatusUpdate(ObjectNode request, ObjectNode old, FieldErrors errors) {
    CertificateStatusRules.check(request, errors);
    CertificateStatusRules.checkRemoved(request, old, errors);
    CertificateStatusRules.checkDecisions(request, old, errors);
    CertificateStatusRules.checkCertificateChange(request, old, errors);
  }

  /// The signature of the request is checked as well: it proves that the requester has the private
  /// key.
  private static void checkRequest(String encoded, FieldPath path, FieldErrors errors) {
    String pem = "";
    try {
      pem = new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
      CertificateRequest.parse(pem);
    } catch (IllegalArgumentException | MalformedRequestException e) {
      errors.invalid(path, pem, String.valueOf(e.getMessage()));
    }
  }

  private static void checkUsages(JsonNode usages, FieldPath path, FieldErrors errors) {
    if (usages.isEmpty()) {
      errors.required(path, "");
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < usages.size(); i++) {
      String usage = usages.get(i).asText("");
      if (!USAGES.contains(usage)) {
        errors.notSupported(path.index(i), usage, USAGES);
      } else if (!seen.add(usage)) {
        errors.duplicate(path.index(i), usage);
      }
    }
  }

  /// `DOMAIN/PATH`, both of DNS labels.
  private static void checkSigner(String name, FieldPath path, FieldErrors errors) {
    if (name.isEmpty()) {
      errors.required(path, "");
      return;
    }
    String[] parts = name.split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      errors.invalid(
          path,
          name,
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    if (name.length() > LONGEST_SIGNER) {
      errors.tooLong(path, LONGEST_SIGNER);
    }
    NameRules.dns1123Subdomain(parts[0])
        .forEach(
            why ->
                errors.invalid(
                    path, parts[0], "validating label \"%s\": %s".formatted(parts[0], why)));
    if (!parts[0].contains(".")) {
      errors.invalid(path, name, "should be a domain with at least two segments separated by dots");
    }
    for (String label : parts[1].split("\\.", -1)) {
      NameRules.dns1123Label(label)
          .forEach(
              why ->
                  errors.invalid(
                      path, parts[1], "validating label \"%s\": %s".formatted(label, why)));
    }
  }
}
