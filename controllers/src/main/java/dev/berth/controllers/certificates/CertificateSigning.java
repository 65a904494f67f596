package dev.berth.controllers.certificates;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.MalformedRequestException;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signs approved CertificateSigningRequests; a request that breaks the rules of its signer fails.
///
/// Whoever approves decides about the requester only. The rules about subject, names and usages
/// hold whatever was approved, so that no approval can turn a node's request into an
/// administrator's.
public final class CertificateSigning implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(CertificateSigning.class);

  /// Lifetime of a certificate whose request names none: upstream's `--cluster-signing-duration`.
  private static final Duration YEAR = Duration.ofDays(365);

  /// The shortest lifetime that the API allows in a request, ten minutes.
  private static final long SHORTEST_SECONDS = 600;

  private final ClusterSigner signer;
  private final ResourceClient<ObjectNode> requests;
  private final Informer<ObjectNode> known;
  private final ReconcileLoop<ObjectKey> loop;

  public CertificateSigning(
      ControllerContext context, Informer<ObjectNode> known, ClusterSigner signer) {
    this.signer = signer;
    this.known = known;
    this.requests = context.client().json(ResourceType.CERTIFICATE_SIGNING_REQUESTS);
    WorkQueue<ObjectKey> queue = context.queue();
    known.addHandler(change -> queue.add(requests.codec().key(change.latest())));
    this.loop =
        ReconcileLoop.start("certificate-signing", queue, 1, Readiness.of(known), this::look);
  }

  /// Signs one request. A request that is both approved and denied is never signed.
  private Outcome look(ObjectKey key) {
    SigningRequest request = known.get(key).map(SigningRequest::new).orElse(null);
    CertificateSigner by = request == null ? null : request.signer().orElse(null);
    // A request is looked at again with each change; most of them are final at the first look.
    if (request == null
        || by == null
        || request.isIssued()
        || !request.is("Approved")
        || request.is("Denied")
        || request.is("Failed")) {
      return ReconcileLoop.SETTLED;
    }
    try {
      CertificateRequest parsed = request.parsed();
      Optional<String> problem = by.problem(parsed, request.usages());
      if (problem.isPresent()) {
        fail(request, problem.get());
      } else {
        issue(request, by, parsed);
      }
    } catch (MalformedRequestException | IllegalArgumentException e) {
      fail(request, "unable to parse csr: " + e.getMessage());
    }
    return ReconcileLoop.SETTLED;
  }

  /// Signs with the requested lifetime or a year; the authority may shorten it.
  private void issue(SigningRequest request, CertificateSigner by, CertificateRequest parsed) {
    long seconds = request.object().path("spec").path("expirationSeconds").asLong(YEAR.toSeconds());
    Duration lifetime = Duration.ofSeconds(Math.max(SHORTEST_SECONDS, seconds));
    String pem = signer.sign(by, parsed, request.usages(), lifetime);
    ObjectNode signed = request.object().deepCopy();
    signed
        .withObjectProperty("status")
        .put(
            "certificate",
            Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
    // A conflict repeats the pass, which signs once more. The first certificate was never
    // published, but remains valid; nobody has its text.
    requests.update(signed, "status");
    log.info(
        "certificate issued request={} signer={} subject={}",
        request.name(),
        by.signerName(),
        parsed.commonName());
  }

  /// Sets the condition Failed, which is final: the requester sees the reason and makes a new
  /// request.
  private void fail(SigningRequest request, String why) {
    requests.update(request.with("Failed", "SignerValidationFailure", why), "status");
    log.info("certificate request failed name={} reason=\"{}\"", request.name(), why);
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}
