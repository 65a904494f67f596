package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.MalformedRequestException;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.json.ScalarForms;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/// Records the requester of a certificate, and authorizes approval and signing by signer.
///
/// Three of upstream's plugins are here together: `CertificateApproval`, `CertificateSigning` and
/// `CertificateSubjectRestriction`. Recording the requester is what makes a request trustworthy:
/// controllers approve a node's certificate because the server, not the client, has written the
/// user into it.
public final class CertificateAdmission implements AdmissionPlugin {
  private static final String GROUP = "certificates.k8s.io";
  private static final String PLURAL = "certificatesigningrequests";
  private static final List<String> REQUESTER = List.of("username", "uid", "groups", "extra");

  private final Authorizer authorizer;
  private final InstantSource clock;

  public CertificateAdmission(Authorizer authorizer, InstantSource clock) {
    this.authorizer = authorizer;
    this.clock = clock;
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode request = attributes.object();
    if (!attributes.isOn(GROUP, PLURAL) || request == null) {
      return;
    }
    ObjectNode old = attributes.old();
    if (attributes.operation() == Operation.CREATE) {
      ObjectNode spec = request.withObjectProperty("spec");
      // A client must not choose whom the request is from.
      spec.remove(REQUESTER);
      spec.setAll(attributes.user().toJson());
    } else if (old != null && !attributes.subresource().isEmpty()) {
      addTimes(request, old);
    }
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode request = attributes.object();
    if (!attributes.isOn(GROUP, PLURAL) || request == null) {
      return;
    }
    switch (attributes.subresource()) {
      case "" -> {
        if (attributes.operation() == Operation.CREATE) {
          checkSubject(attributes, request);
        }
      }
      case "approval" -> checkSigner(attributes, request, "approve");
      case "status" -> checkSigning(attributes, request);
      default -> {}
    }
  }

  /// A request for the group `system:masters` is rejected, whoever approves it.
  ///
  /// Such a certificate would bypass RBAC for its whole lifetime and cannot be revoked.
  private static void checkSubject(AdmissionAttributes attributes, ObjectNode request) {
    String signer = request.at("/spec/signerName").asText("");
    if (!signer.equals(CertificateSigner.API_CLIENT.signerName())) {
      return;
    }
    try {
      byte[] pem = Base64.getDecoder().decode(request.at("/spec/request").asText(""));
      CertificateRequest parsed =
          CertificateRequest.parse(new String(pem, StandardCharsets.ISO_8859_1));
      if (parsed.organizations().contains(UserInfo.MASTERS)) {
        throw attributes.forbidden(
            "use of %s signer with system:masters group is not allowed".formatted(signer));
      }
    } catch (MalformedRequestException | IllegalArgumentException e) {
      throw attributes.forbidden("failed to parse CSR: " + e.getMessage());
    }
  }

  private void checkSigning(AdmissionAttributes attributes, ObjectNode request) {
    ObjectNode old = attributes.old();
    if (old == null || !request.path("status").equals(old.path("status"))) {
      checkSigner(attributes, request, "sign");
    }
  }

  /// A signer is not an object: RBAC names it, alone or as all signers of a domain.
  private void checkSigner(AdmissionAttributes attributes, ObjectNode request, String verb) {
    String signer = request.at("/spec/signerName").asText("");
    String domain = signer.replaceFirst("/.*", "/*");
    if (!may(attributes.user(), verb, signer) && !may(attributes.user(), verb, domain)) {
      throw attributes.forbidden(
          "user not permitted to %s requests with signerName \"%s\"".formatted(verb, signer));
    }
  }

  private boolean may(UserInfo user, String verb, String signer) {
    AccessRequest.Target target = new AccessRequest.Target.Resource(GROUP, "signers", "", signer);
    return authorizer.decide(new AccessRequest(user, verb, target)).allowed();
  }

  private void addTimes(ObjectNode request, ObjectNode old) {
    String now = ScalarForms.time(clock.instant());
    for (JsonNode one : request.path("status").path("conditions")) {
      if (one instanceof ObjectNode condition) {
        if (!condition.path("lastUpdateTime").isTextual()) {
          condition.put("lastUpdateTime", now);
        }
        if (!condition.path("lastTransitionTime").isTextual()) {
          condition.put("lastTransitionTime", lastTransition(condition, old, now));
        }
      }
    }
  }

  /// The time of a condition that did not change stays.
  private static String lastTransition(ObjectNode condition, ObjectNode old, String now) {
    for (JsonNode before : old.path("status").path("conditions")) {
      String time = before.path("lastTransitionTime").asText("");
      if (before.path("type").equals(condition.path("type"))
          && before.path("status").equals(condition.path("status"))
          && !time.isEmpty()) {
        return time;
      }
    }
    return now;
  }
}
