package dev.berth.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.events.NodeEvents;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers the node and writes its object when it changes.
///
/// One thread. A change wakes it immediately; otherwise it polls what sends no signal (memory,
/// disk, images, changes of our labels by others). It registers once per start, as the kubelet
/// does: whoever deletes the Node wants it to stay away.
final class NodeReporter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeReporter.class);

  /// The interval between two readings of the machine.
  private static final Duration LOOK = Duration.ofSeconds(10);

  /// An unchanged status is written at this interval, as the kubelet does.
  static final Duration REPEAT = Duration.ofMinutes(5);

  private final NodeObject document;
  private final ResourceClient<ObjectNode> nodes;
  private final ObjectKey key;
  private final Supplier<ObservedNode> observe;
  private final NodeEvents events;
  private final InstantSource clock;
  private final Backoff backoff;
  private final DelayedActions delays;
  private final WakeSignal changes = new WakeSignal();
  private final Informer<ObjectNode> seen;
  private final CountDownLatch registered = new CountDownLatch(1);
  private final Thread thread;

  /// The last written status, and the server's answer.
  private record WrittenStatus(ObjectNode status, ObjectNode answer) {}

  // The seven fields below are confined to the thread.
  private @Nullable ObjectNode known; // As the last write returned it.
  private @Nullable WrittenStatus lastWritten;
  private boolean wasRegistered;
  private boolean awayReported;
  private boolean isNew; // The node is registered and has no status yet.
  private Instant written = Instant.MIN;
  private int failures;

  /// The Node was deleted. Set by the informer.
  private volatile boolean deleted;

  /// The Node was deleted and not created again. Set by the informer and the thread.
  private volatile boolean away;

  private volatile String uid = "";

  private NodeReporter(
      NodeObject document,
      ApiClient client,
      Supplier<ObservedNode> observe,
      NodeEvents events,
      InstantSource clock,
      DelayedActions delays,
      Backoff backoff) {
    this.document = document;
    this.nodes = client.json(ResourceType.NODES);
    this.key = new ObjectKey("", document.options().name());
    this.observe = observe;
    this.events = events;
    this.clock = clock;
    this.delays = delays;
    this.backoff = backoff;
    this.seen =
        Informer.start(
            nodes, ListQuery.ALL.withFieldSelector("metadata.name=" + key.name()), delays, backoff);
    this.thread = Thread.ofVirtual().name("node-reporter").unstarted(this::run);
  }

  static NodeReporter start(
      NodeObject document,
      ApiClient client,
      Supplier<ObservedNode> observe,
      NodeEvents events,
      InstantSource clock,
      DelayedActions delays,
      Backoff backoff) {
    events.publish(false, "Starting", "Starting kubelet.");
    NodeReporter reporter =
        new NodeReporter(document, client, observe, events, clock, delays, backoff);
    reporter.seen.addHandler(reporter::sawChange);
    reporter.thread.start();
    return reporter;
  }

  private void sawChange(InformerEvent<ObjectNode> change) {
    if (change instanceof InformerEvent.Removed) {
      deleted = true;
      away = true;
    }
    wake();
  }

  /// Something changed: the thread checks now.
  void wake() {
    changes.ring();
  }

  /// Waits until the server knows the node.
  ///
  /// @return the node's UID
  String awaitUid() throws InterruptedException {
    registered.await();
    return uid;
  }

  /// Whether the node was deleted: nothing may create it again.
  boolean isAway() {
    return away;
  }

  private void run() {
    try {
      while (true) {
        changes.await(attempt(), delays);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Updates the object.
  ///
  /// @return when to check again
  @SuppressWarnings("CatchingUnchecked") // The top of a thread: the next look may go better.
  private Duration attempt() {
    try {
      report();
      if (failures > 0) {
        log.info("node status updates work again node={} failures={}", key.name(), failures);
      }
      failures = 0;
      return LOOK;
    } catch (RuntimeException e) {
      known = null;
      if (e instanceof ApiException refused && refused.isConflict()) {
        wake();
        return LOOK;
      }
      if (failures == 0 && !Thread.currentThread().isInterrupted()) {
        log.warn(
            "node status update failed, the agent retries node={} reason={}",
            key.name(),
            e.getMessage());
      }
      return backoff.after(failures++);
    }
  }

  private void report() {
    ObservedNode observed = observe.get();
    Optional<ObjectNode> current = current(observed);
    noticeAway(current.isEmpty());
    if (current.isEmpty()) {
      return;
    }
    ObjectNode node = current.get();
    ObjectNode labelled = document.metadata(node, observed);
    if (!labelled.equals(node)) {
      node = nodes.update(labelled);
      known = node;
    }
    Instant now = clock.instant();
    ObjectNode wanted = document.status(node, observed, now);
    if (isDue(now) || !isWritten(wanted, node)) {
      known = nodes.update(wanted, "status");
      lastWritten = new WrittenStatus(wanted, known);
      JsonNode before = isNew ? MissingNode.getInstance() : node.path("status");
      new NodeEventChanges(key.name(), before)
          .in(wanted.path("status"), written.equals(Instant.MIN))
          .forEach(event -> events.publish(event.warning(), event.reason(), event.message()));
      written = now;
      isNew = false;
    }
    uid = node.path("metadata").path("uid").asText();
    wasRegistered = true;
    registered.countDown();
  }

  private void noticeAway(boolean gone) {
    if (gone && !awayReported) {
      log.warn(
          "Node object was deleted, and the agent does not create it again until the agent restarts"
              + " node={}",
          key.name());
    } else if (!gone && awayReported) {
      log.info("Node object was created again by another client node={}", key.name());
    }
    awayReported = gone;
    away = gone;
  }

  /// A server drops fields that it does not know; writing them again would change nothing.
  private boolean isWritten(ObjectNode wanted, ObjectNode node) {
    return ConditionList.saySame(wanted, node)
        || (lastWritten != null
            && ConditionList.saySame(wanted, lastWritten.status())
            && ConditionList.saySame(node, lastWritten.answer()));
  }

  private boolean isDue(Instant now) {
    return written.equals(Instant.MIN) || !now.isBefore(written.plus(REPEAT));
  }

  /// The server's object; created when it never existed since the agent's start.
  private Optional<ObjectNode> current(ObservedNode observed) {
    if (deleted) {
      deleted = false;
      known = null;
    }
    Optional<ObjectNode> cached = seen.get(key);
    long newest = cached.map(NodeReporter::revision).orElse(0L);
    if (known != null && revision(known) >= newest) {
      return Optional.of(known);
    }
    Optional<ObjectNode> found = cached.isPresent() ? cached : nodes.find(key);
    if (found.isPresent() || wasRegistered) {
      return found;
    }
    ObjectNode created = nodes.create(document.registration(observed, clock.instant()));
    isNew = true;
    log.info("node registered node={}", key.name());
    return Optional.of(created);
  }

  private static long revision(ObjectNode node) {
    return node.path("metadata").path("resourceVersion").asLong();
  }

  @Override
  public void close() {
    seen.close();
    thread.interrupt();
    try {
      boolean _ = thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
