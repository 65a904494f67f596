package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.Backoff;
import dev.berth.client.ClientException;
import dev.berth.client.DelayedActions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The node's heartbeat: a Lease in `kube-node-lease` that the agent renews while it runs.
final class NodeLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeLease.class);
  private static final String NAMESPACE = "kube-node-lease";

  /// The kubelet's `nodeLeaseDurationSeconds`; controllers call a node lost after about this time.
  private static final int SECONDS = 40;

  /// A quarter of the lease, as the kubelet: three renewals may fail before the node counts as
  /// lost.
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final NodeReporter node;
  private final ResourceClient<ObjectNode> leases;
  private final ObjectKey key;
  private final InstantSource clock;
  private final Backoff backoff;
  private final DelayedActions delays;
  private final Thread thread;

  // The two fields below are confined to the thread.
  private @Nullable ObjectNode known;
  private int failures;

  private NodeLease(
      NodeReporter node,
      ApiClient client,
      String name,
      InstantSource clock,
      DelayedActions delays,
      Backoff backoff) {
    this.node = node;
    this.leases = client.json(ResourceType.LEASES);
    this.key = new ObjectKey(NAMESPACE, name);
    this.clock = clock;
    this.delays = delays;
    this.backoff = backoff;
    this.thread = Thread.ofVirtual().name("node-lease").unstarted(this::run);
  }

  static NodeLease start(
      NodeReporter node,
      ApiClient client,
      String name,
      InstantSource clock,
      DelayedActions delays,
      Backoff backoff) {
    NodeLease lease = new NodeLease(node, client, name, clock, delays, backoff);
    lease.thread.start();
    return lease;
  }

  private void run() {
    try {
      while (true) {
        String nodeUid = node.awaitUid();
        Duration pause = node.isAway() ? forget() : attempt(nodeUid);
        new WakeSignal().await(pause, delays);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// The Lease was deleted with its node, and is created again only with it.
  private Duration forget() {
    known = null;
    return PERIOD;
  }

  private Duration attempt(String nodeUid) {
    try {
      known = renew(nodeUid);
      if (failures > 0) {
        log.info("lease renewed again node={} failures={}", key.name(), failures);
      }
      failures = 0;
      return PERIOD;
    } catch (ClientException e) {
      known = null;
      boolean lostRace = e instanceof ApiException refused && refused.isConflict();
      if (failures == 0 && !lostRace && !Thread.currentThread().isInterrupted()) {
        log.warn("lease not renewed, retrying node={} reason={}", key.name(), e.getMessage());
      }
      return backoff.after(failures++);
    }
  }

  private ObjectNode renew(String nodeUid) {
    ObjectNode lease = known != null ? known : leases.find(key).orElse(null);
    return lease == null
        ? leases.create(describe(JsonNodeFactory.instance.objectNode(), nodeUid))
        : leases.update(describe(lease.deepCopy(), nodeUid));
  }

  private ObjectNode describe(ObjectNode lease, String nodeUid) {
    lease.put("apiVersion", ResourceType.LEASES.apiVersion()).put("kind", "Lease");
    ObjectNode metadata = lease.withObject("/metadata");
    metadata.put("namespace", NAMESPACE).put("name", key.name());
    // The Lease is garbage-collected with its node.
    ObjectNode owner = metadata.putArray("ownerReferences").addObject();
    owner.put("apiVersion", "v1").put("kind", "Node");
    owner.put("name", key.name()).put("uid", nodeUid);
    ObjectNode spec = lease.withObject("/spec");
    spec.put("holderIdentity", key.name()).put("leaseDurationSeconds", SECONDS);
    spec.put("renewTime", MICRO_TIME.format(clock.instant()));
    return lease;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
