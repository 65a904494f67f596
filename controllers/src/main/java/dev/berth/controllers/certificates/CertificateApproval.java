package dev.berth.controllers.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.MalformedRequestException;
import dev.berth.api.certificates.NodeServingNames;
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
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Approves requests of nodes, as upstream's approver does: client certificates after a
/// SubjectAccessReview of the requester, and, if enabled, serving certificates by the rule of
/// [NodeServingNames].
///
/// Other requests are left to a person; none is denied.
public final class CertificateApproval implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(CertificateApproval.class);

  /// Retry interval: a node may be registered, or a right granted, a moment later.
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final ClusterSigner signer;
  private final ResourceClient<ObjectNode> requests;
  private final Informer<ObjectNode> known;
  private final Informer<ObjectNode> nodes;
  private final ResourceClient<ObjectNode> services;
  private final AccessReviewer reviewer;
  private final ReconcileLoop<ObjectKey> loop;

  public CertificateApproval(
      ControllerContext context,
      Informer<ObjectNode> known,
      Informer<ObjectNode> nodes,
      ClusterSigner signer) {
    this.signer = signer;
    this.known = known;
    this.nodes = nodes;
    this.requests = context.client().json(ResourceType.CERTIFICATE_SIGNING_REQUESTS);
    this.services = context.client().json(ResourceType.SERVICES);
    this.reviewer = new AccessReviewer(context.client());
    WorkQueue<ObjectKey> queue = context.queue();
    known.addHandler(change -> queue.add(requests.codec().key(change.latest())));
    this.loop =
        ReconcileLoop.start(
            "certificate-approval", queue, 1, Readiness.of(known, nodes), this::look);
  }

  private Outcome look(ObjectKey key) {
    SigningRequest request = known.get(key).map(SigningRequest::new).orElse(null);
    if (request == null
        || request.isIssued()
        || request.is("Approved")
        || request.is("Denied")
        || request.is("Failed")) {
      return ReconcileLoop.SETTLED;
    }
    Verdict verdict = judge(request);
    switch (verdict) {
      case Verdict.Approve(String message) -> {
        // Conditional on the revision in the object: two approvers never both decide.
        requests.update(request.with("Approved", "AutoApproved", message), "approval");
        log.info("certificate request approved name={} user={}", key.name(), request.username());
        return ReconcileLoop.SETTLED;
      }
      case Verdict.NotOurs() -> {
        return ReconcileLoop.SETTLED;
      }
      case Verdict.NotYet(String why) -> {
        log.debug("certificate request is not approved name={} reason={}", key.name(), why);
        return new Outcome.LookAgain(AGAIN);
      }
    }
  }

  /// The decision about a request.
  sealed interface Verdict {
    record Approve(String message) implements Verdict {}

    /// The request waits for a person.
    record NotOurs() implements Verdict {}

    /// The request is checked again later.
    record NotYet(String why) implements Verdict {}
  }

  private Verdict judge(SigningRequest request) {
    CertificateSigner by = request.signer().orElse(null);
    try {
      CertificateRequest parsed = request.parsed();
      if (by == null
          || by == CertificateSigner.API_CLIENT
          // A request that breaks the signer's rules fails when somebody approves it; a person may
          // want to see it before.
          || by.problem(parsed, request.usages()).isPresent()) {
        return new Verdict.NotOurs();
      }
      return by == CertificateSigner.NODE_CLIENT
          ? judgeClient(request, parsed)
          : judgeServing(request, parsed);
    } catch (MalformedRequestException | IllegalArgumentException _) {
      return new Verdict.NotOurs();
    }
  }

  /// Judges a client certificate. A node may renew its own; a new one needs the right to join, and
  /// for the name of an existing node the right to replace it.
  private Verdict judgeClient(SigningRequest request, CertificateRequest parsed) {
    JsonNode requester = request.object().path("spec");
    if (request.username().equals(parsed.commonName())
        && reviewer.may(requester, AccessReviewer.signing("selfnodeclient"))) {
      return new Verdict.Approve(
          "Auto approving self kubelet client certificate after SubjectAccessReview.");
    }
    if (!reviewer.may(requester, AccessReviewer.signing("nodeclient"))) {
      return new Verdict.NotYet("the requester may not have a certificate of a node");
    }
    String node = parsed.commonName().substring(CertificateSigner.NODE_PREFIX.length());
    // From the cache: a Node that registered a moment ago may be missed. Such a node has just got
    // its own certificate, and the requester needs a join token in any case.
    boolean taken = nodes.get(new ObjectKey("", node)).isPresent();
    // Berth's own rule: with upstream's, whoever holds a join token could take over any node.
    if (taken && !reviewer.may(requester, AccessReviewer.rejoining(node))) {
      return new Verdict.NotYet("the node exists and the requester has not the verb rejoin on it");
    }
    return new Verdict.Approve(
        "Auto approving kubelet client certificate after SubjectAccessReview.");
  }

  /// Judges a serving certificate: only the node itself may request it, and only for names that no
  /// other machine has. Upstream leaves all of these to a person.
  private Verdict judgeServing(SigningRequest request, CertificateRequest parsed) {
    if (!signer.approvesServing() || !request.username().equals(parsed.commonName())) {
      return new Verdict.NotOurs();
    }
    String node = parsed.commonName().substring(CertificateSigner.NODE_PREFIX.length());
    NodeServingNames rule =
        NodeServingNames.of(
            node,
            nodes.list(),
            services.list(dev.berth.client.ListQuery.ALL),
            signer.serverNames(),
            null);
    List<String> refusals = rule.refusals(parsed.names().servers());
    return refusals.isEmpty()
        ? new Verdict.Approve(
            "Auto approving serving certificate for names that only the node has.")
        : new Verdict.NotYet(String.join("; ", refusals));
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}
