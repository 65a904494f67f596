package dev.berth.controllers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes expired bootstrap tokens, with which nodes join. The server already refuses them; this
/// removes their Secrets.
final class JoinTokenExpiry implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(JoinTokenExpiry.class);
  private static final String TYPE = "bootstrap.kubernetes.io/token";
  private static final String NAMESPACE = "kube-system";

  private final ResourceClient<ObjectNode> secrets;
  private final InstantSource clock;
  private final Informer<ObjectNode> known;
  private final ReconcileLoop<ObjectKey> loop;

  JoinTokenExpiry(ControllerContext context) {
    this.secrets = context.client().json(ResourceType.SECRETS);
    this.clock = context.clock();
    this.known = context.informer(secrets, ListQuery.ALL.withFieldSelector("type=" + TYPE));
    WorkQueue<ObjectKey> queue = context.queue();
    known.addHandler(change -> queue.add(secrets.codec().key(change.latest())));
    this.loop = ReconcileLoop.start("join-token-expiry", queue, 1, Readiness.of(known), this::look);
  }

  /// Removes the Secret of a token that has expired, else looks again at its end. The revision is a
  /// precondition: an administrator may have prolonged the token meanwhile.
  private Outcome look(ObjectKey key) {
    // The server accepts tokens from this namespace only.
    Optional<ObjectNode> secret = known.get(key).filter(_ -> key.namespace().equals(NAMESPACE));
    Optional<Instant> end = secret.flatMap(JoinTokenExpiry::expiration);
    if (end.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    Duration left = Duration.between(clock.instant(), end.get());
    // The expiry makes no event, so that the loop sets its own alarm; an earlier change queues the
    // key again.
    if (left.isPositive()) {
      return new Outcome.LookAgain(left);
    }
    JsonNode metadata = secret.get().path("metadata");
    secrets.delete(
        key,
        DeleteOptions.ofUid(metadata.path("uid").asText())
            .ifUnchangedSince(metadata.path("resourceVersion").asText()));
    log.info("expired token removed secret={}", key);
    return ReconcileLoop.SETTLED;
  }

  /// The expiry time; empty for a token that never expires or whose time cannot be parsed. The
  /// server refuses the latter, but its owner may want to read the Secret.
  private static Optional<Instant> expiration(ObjectNode secret) {
    String encoded = secret.path("data").path("expiration").asText();
    try {
      String text = new String(Base64.getDecoder().decode(encoded), UTF_8);
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (IllegalArgumentException | DateTimeException _) {
      return Optional.empty();
    }
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    known.close();
  }
}
