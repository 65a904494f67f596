package dev.berth.controllers.nodes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Keeps ConfigMap `kube-public/berth-runtimes` up to date: the runtime services of all nodes, and
/// the platforms that nodes and RuntimeClasses run. Changes of the ConfigMap by others are
/// overwritten.
///
/// Users of a cluster often may not read nodes; the ConfigMap shows them which runtime services
/// they can name. An agent, which may read its own node only, takes from it what else could run an
/// image.
public final class AdvertisedRuntimes implements ControllerLoop {
  private static final ObjectKey KEY = new ObjectKey("kube-public", "berth-runtimes");

  /// Minimum interval between writes: a thousand nodes that start one after the other must not
  /// cause a thousand writes.
  private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

  private final InstantSource clock;
  private final ResourceClient<ObjectNode> configMaps;
  private final Informer<ObjectNode> nodes;
  private final Informer<ObjectNode> classes;
  private final Informer<ObjectNode> published;
  private final ReconcileLoop<ObjectKey> loop;

  /// Confined to the loop's only worker.
  private Instant written = Instant.MIN;

  /// @param nodes all nodes; stays open when the loop is closed
  public AdvertisedRuntimes(ControllerContext context, Informer<ObjectNode> nodes) {
    this.clock = context.clock();
    this.configMaps = context.client().json(ResourceType.CONFIG_MAPS);
    this.nodes = nodes;
    this.classes =
        context.informer(context.client().json(ResourceType.RUNTIME_CLASSES), ListQuery.ALL);
    this.published =
        context.informer(
            configMaps,
            ListQuery.inNamespace(KEY.namespace())
                .withFieldSelector("metadata.name=" + KEY.name()));
    WorkQueue<ObjectKey> queue = context.queue();
    nodes.addHandler(_ -> queue.add(KEY));
    classes.addHandler(_ -> queue.add(KEY));
    published.addHandler(_ -> queue.add(KEY));
    queue.add(KEY);
    this.loop =
        ReconcileLoop.start(
            "advertised-runtimes",
            queue,
            1,
            Readiness.of(nodes, classes, published),
            this::publish);
  }

  private Outcome publish(ObjectKey key) {
    ObjectNode data = RuntimeListing.of(nodes.list(), classes.list());
    Optional<ObjectNode> found = published.get(key);
    // Heartbeats of nodes end here: they change nothing that is published.
    if (found.isPresent() && found.get().path("data").equals(data)) {
      return ReconcileLoop.SETTLED;
    }
    Instant now = clock.instant();
    if (!written.equals(Instant.MIN) && now.isBefore(written.plus(AT_MOST_EVERY))) {
      return new Outcome.LookAgain(Duration.between(now, written.plus(AT_MOST_EVERY)));
    }
    written = now;
    ObjectNode next = found.map(ObjectNode::deepCopy).orElseGet(AdvertisedRuntimes::empty);
    next.set("data", data);
    if (found.isPresent()) {
      configMaps.update(next);
    } else {
      configMaps.create(next);
    }
    return ReconcileLoop.SETTLED;
  }

  private static ObjectNode empty() {
    ObjectNode configMap = JsonNodeFactory.instance.objectNode();
    configMap.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = configMap.putObject("metadata");
    metadata.put("namespace", KEY.namespace()).put("name", KEY.name());
    return configMap;
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    published.close();
    classes.close();
  }
}
