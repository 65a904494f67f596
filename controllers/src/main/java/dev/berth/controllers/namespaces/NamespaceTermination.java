package dev.berth.controllers.namespaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the contents of terminating namespaces, then removes their finalizer. The server refuses
/// new objects in such a namespace, so that repeated passes come to an end.
public final class NamespaceTermination implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(NamespaceTermination.class);
  // A namespace that waits for a finalizer leaves its worker between passes, so that four suffice
  // for many of them.
  private static final int WORKERS = 4;
  private static final String FINALIZER = "kubernetes";

  /// Retry interval: a pod's grace period or a finalizer usually ends within seconds.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final ResourceClient<ObjectNode> namespaces;
  private final NamespaceContents contents;
  private final InstantSource clock;
  private final ReconcileLoop<String> loop;

  /// Starts the loop on the namespaces that the informer knows.
  public NamespaceTermination(ControllerContext context, Informer<ObjectMetadata> known) {
    this.namespaces = context.client().json(ResourceType.NAMESPACES);
    this.contents = new NamespaceContents(context.client());
    this.clock = context.clock();
    WorkQueue<String> queue = context.queue();
    known.addHandler(
        change -> {
          if (change.latest().isBeingDeleted()) {
            queue.add(change.latest().key().name());
          }
        });
    this.loop =
        ReconcileLoop.start(
            "namespace-termination", queue, WORKERS, Readiness.of(known), this::reconcile);
  }

  /// Makes one pass over a terminating namespace, which is read from the server: the finalizer may
  /// only go if the newest state has it.
  private Outcome reconcile(String name) {
    Optional<ObjectNode> found = namespaces.find(ObjectKey.clusterScoped(name));
    if (found.isEmpty() || !isOurs(found.get())) {
      return ReconcileLoop.SETTLED;
    }
    NamespaceLeftovers leftovers = contents.delete(name);
    if (leftovers.isEmpty()) {
      // The server deletes the namespace itself when the last finalizer goes.
      namespaces.update(withoutFinalizer(found.get()), "finalize");
      log.info("namespace emptied name={}", name);
      return ReconcileLoop.SETTLED;
    }
    report(found.get(), leftovers);
    // No event of the namespace says that its content went, hence the timer.
    return new Outcome.NotYet(LOOK_AGAIN);
  }

  private static boolean isOurs(ObjectNode namespace) {
    return namespace.path("metadata").has("deletionTimestamp")
        && finalizers(namespace).anyMatch(FINALIZER::equals);
  }

  private static java.util.stream.Stream<String> finalizers(ObjectNode namespace) {
    return namespace.path("spec").path("finalizers").valueStream().map(JsonNode::asText);
  }

  /// The namespace without this controller's finalizer; finalizers of others stay and keep it.
  private static ObjectNode withoutFinalizer(ObjectNode namespace) {
    ObjectNode next = namespace.deepCopy();
    ArrayNode kept = next.withObject("/spec").putArray("finalizers");
    finalizers(namespace).filter(name -> !name.equals(FINALIZER)).forEach(kept::add);
    return next;
  }

  /// Writes the conditions if they changed: users see why the namespace still exists.
  private void report(ObjectNode namespace, NamespaceLeftovers leftovers) {
    JsonNode before = namespace.path("status").path("conditions");
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    ArrayNode after = NamespaceConditions.after(before, leftovers, now);
    if (!after.equals(before)) {
      ObjectNode next = namespace.deepCopy();
      next.withObject("/status").set("conditions", after);
      namespaces.update(next, "status");
    }
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}
