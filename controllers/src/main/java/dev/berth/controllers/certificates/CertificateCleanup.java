package dev.berth.controllers.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.DeleteOptions;
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
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes old CertificateSigningRequests, with upstream's periods: one hour after the decision, a
/// day while pending. A certificate stays valid after its request is gone.
public final class CertificateCleanup implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(CertificateCleanup.class);
  static final Duration DECIDED = Duration.ofHours(1);
  static final Duration PENDING = Duration.ofHours(24);

  private final ResourceClient<ObjectNode> requests;
  private final Informer<ObjectNode> known;
  private final InstantSource clock;
  private final ReconcileLoop<ObjectKey> loop;

  public CertificateCleanup(ControllerContext context, Informer<ObjectNode> known) {
    this.known = known;
    this.clock = context.clock();
    this.requests = context.client().json(ResourceType.CERTIFICATE_SIGNING_REQUESTS);
    WorkQueue<ObjectKey> queue = context.queue();
    known.addHandler(change -> queue.add(requests.codec().key(change.latest())));
    this.loop =
        ReconcileLoop.start("certificate-cleanup", queue, 1, Readiness.of(known), this::look);
  }

  private Outcome look(ObjectKey key) {
    Optional<SigningRequest> request = known.get(key).map(SigningRequest::new);
    Optional<Instant> end = request.flatMap(CertificateCleanup::end);
    if (end.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    Duration left = Duration.between(clock.instant(), end.get());
    if (left.isPositive()) {
      return new Outcome.LookAgain(left);
    }
    JsonNode metadata = request.get().object().path("metadata");
    requests.delete(
        key,
        DeleteOptions.ofUid(metadata.path("uid").asText())
            .ifUnchangedSince(metadata.path("resourceVersion").asText()));
    log.info("old certificate request removed name={}", key.name());
    return ReconcileLoop.SETTLED;
  }

  /// The time at which a request is removed; empty while it is approved and not yet issued.
  static Optional<Instant> end(SigningRequest request) {
    for (String type : java.util.List.of("Denied", "Failed")) {
      Optional<JsonNode> decision = request.condition(type);
      if (decision.isPresent()) {
        return after(request.since(decision.get()), DECIDED);
      }
    }
    // An approved request without a certificate waits for its signer, perhaps one outside of Berth.
    Optional<JsonNode> approved = request.condition("Approved");
    if (approved.isEmpty()) {
      return after(request.created(), PENDING);
    }
    return request.isIssued() ? after(request.since(approved.get()), DECIDED) : Optional.empty();
  }

  private static Optional<Instant> after(Instant since, Duration time) {
    return since.equals(Instant.MAX) ? Optional.empty() : Optional.of(since.plus(time));
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}
