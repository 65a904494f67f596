package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.placement.ClusterPlatforms;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.server.admission.runtimeclass.RuntimeCatalog;
import dev.berth.server.admission.runtimeclass.RuntimeClassPolicy;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// Follows RuntimeClasses and the handlers and platforms of nodes for admission, which asks for
/// them on every pod.
///
/// Classes are read from the store on each call, because a pod may name a class that was created a
/// moment ago. Handlers and platforms come from an informer and may lag by moments: nodes change
/// them seldom, and a late answer only delays a steering decision. Readers see immutable snapshots
/// through volatile fields and take no lock.
public final class LiveRuntimes implements RuntimeCatalog, AutoCloseable {
  private final ObjectStore store;
  private final ResourceKind kind;

  /// Volatile: any request thread may replace it by a newer one.
  private volatile Classes classes = new Classes(0, 0, List.of());

  /// Features of each handler, by node.
  private final Map<String, Map<String, Set<String>>> handlersByNode = new ConcurrentHashMap<>();

  /// The same by handler; rebuilt when a node's handlers change, which is rare.
  private volatile Map<String, Offer> offers = Map.of();

  /// What each node runs, by name so that messages name nodes in one order; used by the informer
  /// only.
  private final Map<String, NodePlatforms> platformsByNode = new ConcurrentSkipListMap<>();

  private volatile ClusterPlatforms platforms = ClusterPlatforms.EMPTY;

  private final StoreInformer nodes;

  /// The parsed classes for one collection size and newest revision, which identify the state.
  private record Classes(int count, long revision, List<RuntimeClassPolicy> policies) {}

  private record Offer(int nodes, Set<String> features) {}

  public LiveRuntimes(ObjectStore store, ServedKinds kinds) {
    this.store = store;
    this.kind = kinds.bucket("runtimeclasses.node.k8s.io").orElseThrow();
    this.nodes = new StoreInformer(store, kinds.bucket("nodes").orElseThrow(), new NodeListener());
  }

  /// Read from the store, so that a new class counts immediately.
  @Override
  public List<RuntimeClassPolicy> classes() {
    StoreSnapshot<StoredObject> snapshot = store.list(kind, "");
    int count = 0;
    long revision = 0;
    for (StoreEntry<StoredObject> entry : snapshot) {
      count++;
      revision = Math.max(revision, entry.revision());
    }
    Classes known = classes;
    if (known.count() != count || known.revision() != revision) {
      List<RuntimeClassPolicy> policies = new ArrayList<>();
      snapshot.forEach(entry -> policies.add(RuntimeClassPolicy.of(entry.value().tree())));
      known = new Classes(count, revision, List.copyOf(policies));
      classes = known;
    }
    return known.policies();
  }

  @Override
  public int nodesOffering(String handler) {
    Offer offer = offers.get(handler);
    return offer == null ? 0 : offer.nodes();
  }

  @Override
  public Set<String> features(String handler) {
    Offer offer = offers.get(handler);
    return offer == null ? Set.of() : offer.features();
  }

  @Override
  public ClusterPlatforms platforms() {
    return platforms;
  }

  @Override
  public void close() {
    nodes.close();
  }

  private final class NodeListener implements StoreInformer.Listener {
    @Override
    public void put(StoredObject node) {
      Map<String, Set<String>> handlers = handlers(node.tree());
      if (!handlers.equals(handlersByNode.put(node.name(), handlers))) {
        count();
      }
      NodePlatforms reported = NodePlatforms.parse(node.tree());
      if (!reported.equals(platformsByNode.put(node.name(), reported))) {
        platforms = new ClusterPlatforms(List.copyOf(platformsByNode.values()));
      }
    }

    @Override
    public void remove(StoredObject last) {
      handlersByNode.remove(last.name());
      platformsByNode.remove(last.name());
      platforms = new ClusterPlatforms(List.copyOf(platformsByNode.values()));
      count();
    }

    private void count() {
      Map<String, Offer> counted = new HashMap<>();
      for (Map<String, Set<String>> handlers : handlersByNode.values()) {
        handlers.forEach(
            (handler, features) ->
                counted.merge(handler, new Offer(1, features), NodeListener::both));
      }
      offers = Map.copyOf(counted);
    }

    /// A feature counts only if every node with the handler has it: the scheduler may choose any of
    /// them.
    private static Offer both(Offer one, Offer other) {
      Set<String> common = new HashSet<>(one.features());
      common.retainAll(other.features());
      return new Offer(one.nodes() + other.nodes(), common);
    }
  }

  private static Map<String, Set<String>> handlers(ObjectNode node) {
    Map<String, Set<String>> handlers = new HashMap<>();
    for (JsonNode handler : node.path("status").path("runtimeHandlers")) {
      Set<String> features = new HashSet<>();
      for (Map.Entry<String, JsonNode> feature : handler.path("features").properties()) {
        if (feature.getValue().asBoolean()) {
          features.add(feature.getKey());
        }
      }
      handlers.put(handler.path("name").asText(), features);
    }
    return handlers;
  }
}
