package dev.berth.controllers.gc;

import dev.berth.client.ClientException;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceCatalog;
import dev.berth.client.ResourceType;
import dev.berth.client.ServedResource;
import dev.berth.controllers.loops.ControllerContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches the metadata of every kind that can be listed, watched and deleted, and follows changes
/// of the server's discovery.
final class ResourceMonitors implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ResourceMonitors.class);
  private static final Duration REDISCOVERY = Duration.ofSeconds(60);
  private static final Duration REDISCOVERY_AFTER_FAILURE = Duration.ofMillis(500);

  /// How long the first list of one kind may delay the collection of all others.
  private static final Duration FIRST_LISTS = Duration.ofSeconds(30);

  /// Events own nothing, have no owners, and are numerous.
  private static final Set<String> IGNORED = Set.of("events", "events.events.k8s.io");

  private final ControllerContext context;
  private final OwnerGraph graph;
  private final Consumer<Set<String>> look;
  private final CountDownLatch discovered = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  /// Changed only by the discovery thread.
  private final Map<ResourceType, Reflector<ObjectMetadata>> reflectors = new ConcurrentHashMap<>();

  private volatile ResourceCatalog catalog = new ResourceCatalog(List.of(), Set.of());

  /// Starts to watch.
  ///
  /// @param look receives the uids to check
  ResourceMonitors(ControllerContext context, OwnerGraph graph, Consumer<Set<String>> look) {
    this.context = context;
    this.graph = graph;
    this.look = look;
    this.thread = Thread.ofVirtual().name("gc-monitors").start(this::run);
  }

  private void run() {
    try {
      boolean more = true;
      while (more) {
        more = !closing.await(refresh().toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Reads the server's discovery and adjusts the watches; returns when to do it again.
  private Duration refresh() {
    ResourceCatalog now;
    try {
      now = context.client().discovery().discover();
    } catch (ClientException e) {
      // Unknown is not empty: existing watches continue.
      log.debug("discovery failed", e);
      return REDISCOVERY_AFTER_FAILURE;
    }
    catalog = now;
    Set<ResourceType> wanted = new HashSet<>();
    for (ServedResource resource : now.preferred()) {
      if (resource.allows("delete", "list", "watch")
          && !IGNORED.contains(resource.type().qualifiedPlural())) {
        wanted.add(resource.type());
        reflectors.computeIfAbsent(resource.type(), this::watch);
      }
    }
    for (ResourceType type : List.copyOf(reflectors.keySet())) {
      // The group of an aggregated server that does not answer keeps its watches.
      if (!wanted.contains(type) && !now.unavailable().contains(type.group())) {
        drop(type);
      }
    }
    // The first success releases the workers; a discovery with failed groups counts.
    discovered.countDown();
    return REDISCOVERY;
  }

  private Reflector<ObjectMetadata> watch(ResourceType type) {
    return context.reflector(
        context.client().metadata(type),
        new Reflector.Mirror<>() {
          @Override
          public void replace(List<ObjectMetadata> items) {
            look.accept(graph.replace(type, items));
          }

          @Override
          public void put(ObjectMetadata item) {
            look.accept(graph.put(GraphNode.of(type, item)));
          }

          @Override
          public void remove(ObjectMetadata item) {
            look.accept(graph.remove(item.uid()));
          }
        });
  }

  /// Ends the watch of a kind that the server no longer offers.
  private void drop(ResourceType type) {
    Reflector<ObjectMetadata> reflector = reflectors.remove(type);
    if (reflector != null) {
      log.info("kind no longer offered resource={}", type);
      reflector.close();
      look.accept(graph.forget(type));
    }
  }

  /// The kinds of the last successful discovery.
  ResourceCatalog catalog() {
    return catalog;
  }

  /// The kinds that are watched.
  Set<ResourceType> types() {
    return Set.copyOf(reflectors.keySet());
  }

  /// Whether every kind has been listed, so that the graph has all dependents.
  boolean allSynced() {
    return discovered.getCount() == 0 && reflectors.values().stream().allMatch(Reflector::isSynced);
  }

  /// Waits until every kind has been listed, with a time limit for kinds that cannot be.
  void awaitSynced() throws InterruptedException {
    discovered.await();
    for (Reflector<ObjectMetadata> reflector : reflectors.values()) {
      boolean _ = reflector.awaitSynced(FIRST_LISTS);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    reflectors.values().forEach(Reflector::close);
  }
}
