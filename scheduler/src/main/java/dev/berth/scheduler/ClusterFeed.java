package dev.berth.scheduler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.TrackedPod;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Watches nodes, pods, RuntimeClasses and namespaces, and delivers them as compact values; the
/// JSON trees are not kept.
///
/// Each collection has a reflector with a thread of its own, and nothing orders the watches among
/// each other: a pod may arrive before the node that it is bound to, and a RuntimeClass after its
/// pods. The state accepts any order. A decision that an unfinished picture makes wrong is repeated
/// when the rest arrives, because that is an event as well.
final class ClusterFeed implements AutoCloseable {
  private final List<Reflector<?>> reflectors;

  ClusterFeed(ApiClient client, ClusterView view, DelayedActions delays, RandomGenerator random) {
    ResourceClient<ObjectNode> nodes = client.json(ResourceType.NODES);
    ResourceClient<ObjectNode> pods = client.json(ResourceType.PODS);
    ResourceClient<ObjectNode> classes = client.json(ResourceType.RUNTIME_CLASSES);
    // Only the labels of namespaces matter, for namespace selectors of pod affinity;
    // PartialObjectMetadata spares the rest.
    ResourceClient<ObjectMetadata> namespaces = client.metadata(ResourceType.NAMESPACES);
    reflectors =
        List.of(
            follow(
                nodes,
                node -> view.putNode(NodeInfo.parse(node)),
                key -> view.removeNode(key.name()),
                delays,
                random),
            follow(
                classes,
                tree -> view.putClass(RuntimeClassInfo.parse(tree)),
                key -> view.removeClass(key.name()),
                delays,
                random),
            follow(
                namespaces,
                namespace -> view.putNamespace(namespace.key().name(), namespace.labels()),
                key -> view.removeNamespace(key.name()),
                delays,
                random),
            follow(
                pods, pod -> view.putPod(TrackedPod.parse(pod)), view::removePod, delays, random));
  }

  private static <T> Reflector<T> follow(
      ResourceClient<T> resources,
      Consumer<T> put,
      Consumer<ObjectKey> remove,
      DelayedActions delays,
      RandomGenerator random) {
    return Reflector.start(
        resources,
        ListQuery.ALL,
        new KeyMirror<>(resources, put, remove),
        delays,
        Reflector.usualBackoff(random));
  }

  /// Waits until everything has been listed once; before that, a missing object proves nothing.
  void awaitSynced() throws InterruptedException {
    for (Reflector<?> reflector : reflectors) {
      reflector.awaitSynced();
    }
  }

  @Override
  public void close() {
    reflectors.forEach(Reflector::close);
  }

  /// Keeps only the keys, to notice deletions after a new list. Confined to the reflector's thread.
  ///
  /// A list replaces what a lost watch missed. The mirror holds keys alone because the state holds
  /// the values; a second copy of every pod would double the memory of a large cluster.
  private static final class KeyMirror<T> implements Reflector.Mirror<T> {
    private final ResourceClient<T> resources;
    private final Consumer<T> put;
    private final Consumer<ObjectKey> remove;
    private Set<ObjectKey> known = new HashSet<>();

    KeyMirror(ResourceClient<T> resources, Consumer<T> put, Consumer<ObjectKey> remove) {
      this.resources = resources;
      this.put = put;
      this.remove = remove;
    }

    @Override
    public void replace(List<T> items) {
      Set<ObjectKey> listed = new HashSet<>();
      items.forEach(item -> listed.add(resources.codec().key(item)));
      // Deletions first: a pod that was replaced under another name frees its place before the new
      // pod is considered.
      known.stream().filter(key -> !listed.contains(key)).forEach(remove);
      known = listed;
      items.forEach(put);
    }

    @Override
    public void put(T item) {
      known.add(resources.codec().key(item));
      put.accept(item);
    }

    @Override
    public void remove(T item) {
      ObjectKey key = resources.codec().key(item);
      known.remove(key);
      remove.accept(key);
    }
  }
}
