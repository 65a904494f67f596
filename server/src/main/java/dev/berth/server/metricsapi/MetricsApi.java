package dev.berth.server.metricsapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.MetricKind;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.store.StoreEntry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers requests for usage of nodes and pods; lists leave out what cannot be measured.
///
/// Nothing is stored: nodes are asked on demand, and measurements are kept for some seconds. A node
/// that does not answer is left out of lists, as metrics-server does, and a request for it alone
/// gets 404.
public final class MetricsApi {
  private static final Logger log = LoggerFactory.getLogger(MetricsApi.class);

  /// Reads `/metrics/resource` of a node.
  public interface NodeSource {
    String read(String node) throws IOException;
  }

  private final ObjectStore store;
  private final ResourceKind nodes;
  private final ResourceKind pods;
  private final NodeSource source;
  private final InstantSource clock;

  /// By node; entries of deleted nodes are removed with each list.
  private final Map<String, NodeUsageCache> gauges = new ConcurrentHashMap<>();

  public MetricsApi(ObjectStore store, ServedKinds kinds, NodeSource source, InstantSource clock) {
    this.store = store;
    this.nodes = kinds.bucket("nodes").orElseThrow();
    this.pods = kinds.bucket("pods").orElseThrow();
    this.source = source;
    this.clock = clock;
  }

  public ObjectNode nodes(ListOptions options) throws InterruptedException {
    List<StoredObject> wanted = select(nodes, "", options);
    forgetLostNodes();
    return list(MetricKind.NODES, wanted, StoredObject::name, MetricsObjects::node);
  }

  public ObjectNode node(String name) throws InterruptedException {
    StoreEntry<StoredObject> node = store.find(nodes, "", name);
    return one(
        "nodemetrics",
        name,
        node == null
            ? List.of()
            : measure(List.of(node.value()), StoredObject::name, MetricsObjects::node));
  }

  /// The pods of a namespace.
  ///
  /// @param namespace empty for all namespaces
  public ObjectNode pods(String namespace, ListOptions options) throws InterruptedException {
    return list(
        MetricKind.PODS, select(pods, namespace, options), MetricsApi::nodeOf, MetricsObjects::pod);
  }

  public ObjectNode pod(String namespace, String name) throws InterruptedException {
    StoreEntry<StoredObject> pod = store.find(pods, namespace, name);
    return one(
        "podmetrics",
        namespace + "/" + name,
        pod == null
            ? List.of()
            : measure(List.of(pod.value()), MetricsApi::nodeOf, MetricsObjects::pod));
  }

  private List<StoredObject> select(ResourceKind kind, String namespace, ListOptions options) {
    List<StoredObject> selected = new ArrayList<>();
    for (StoreEntry<StoredObject> entry : store.list(kind, namespace)) {
      StoredObject object = entry.value();
      if (options.labels().matches(object.labels()) && options.fields().matches(object::field)) {
        selected.add(object);
      }
    }
    return selected;
  }

  private static String nodeOf(StoredObject pod) {
    return pod.field("spec.nodeName");
  }

  /// Builds the answer's object from a measurement.
  private interface Maker {
    Optional<ObjectNode> make(StoredObject about, MeasuredUsage usage);
  }

  private ObjectNode list(
      MetricKind kind,
      List<StoredObject> objects,
      Function<StoredObject, String> nodeOf,
      Maker maker)
      throws InterruptedException {
    return MetricsObjects.list(kind, measure(objects, nodeOf, maker));
  }

  private static ObjectNode one(String plural, String name, List<ObjectNode> measured) {
    if (measured.isEmpty()) {
      throw ApiException.notFound(new ApiException.Resource(MetricKind.GROUP, plural, ""), name);
    }
    return measured.getFirst();
  }

  private List<ObjectNode> measure(
      List<StoredObject> objects, Function<StoredObject, String> nodeOf, Maker maker)
      throws InterruptedException {
    Set<String> names = new HashSet<>();
    objects.forEach(object -> names.add(nodeOf.apply(object)));
    names.remove("");
    Map<String, MeasuredUsage> usages = usages(names);
    List<ObjectNode> measured = new ArrayList<>();
    for (StoredObject object : objects) {
      MeasuredUsage usage = usages.get(nodeOf.apply(object));
      if (usage != null) {
        maker.make(object, usage).ifPresent(measured::add);
      }
    }
    return measured;
  }

  /// Reads all nodes concurrently, so that a slow node does not delay the others.
  private Map<String, MeasuredUsage> usages(Set<String> names) throws InterruptedException {
    Map<String, FutureTask<MeasuredUsage>> asked = new HashMap<>();
    for (String name : names) {
      NodeUsageCache gauge = gauges.computeIfAbsent(name, this::gauge);
      FutureTask<MeasuredUsage> task = new FutureTask<>(gauge::usage);
      Thread.ofVirtual().name("usage-of-" + name).start(task);
      asked.put(name, task);
    }
    Map<String, MeasuredUsage> usages = new HashMap<>();
    for (Map.Entry<String, FutureTask<MeasuredUsage>> entry : asked.entrySet()) {
      try {
        usages.put(entry.getKey(), entry.getValue().get());
      } catch (ExecutionException e) {
        log.debug(
            "cannot measure node node={} reason={}", entry.getKey(), String.valueOf(e.getCause()));
      }
    }
    return usages;
  }

  private NodeUsageCache gauge(String node) {
    return new NodeUsageCache(() -> source.read(node), clock, Thread::sleep);
  }

  private void forgetLostNodes() {
    gauges.keySet().removeIf(name -> store.find(nodes, "", name) == null);
  }
}
