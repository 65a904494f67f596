package dev.berth.bench.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/// Creates pods through the API, watches until they run, and deletes them, as a user would. The
/// times of events are taken on the watch's thread; entries are removed when a pod is gone, so that
/// a name can be used again.
final class PodRounds implements AutoCloseable {
  private static final String NAMESPACE = "default";

  private final ApiClient client;
  private final String node;
  private final String runtimeClass;
  private final DelayedActions delays = DelayedActions.realTime();
  // Filled by whichever comes first, the event or the wait for it; hence computeIfAbsent on both
  // sides.
  private final Map<String, CompletableFuture<Long>> running = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gone = new ConcurrentHashMap<>();
  private final Informer<ObjectNode> pods;

  /// @param node the node of the pods; empty when a scheduler chooses
  PodRounds(ApiClient client, String node) {
    this(client, node, "");
  }

  /// @param runtimeClass of the pods; empty for none
  PodRounds(ApiClient client, String node, String runtimeClass) {
    this.client = client;
    this.node = node;
    this.runtimeClass = runtimeClass;
    this.pods =
        Informer.start(
            client.json(ResourceType.PODS),
            ListQuery.inNamespace(NAMESPACE),
            delays,
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), new Random()));
    // The handler runs on the informer's thread, so that the time of an event has no queue in it.
    pods.addHandler(this::changed);
  }

  private void changed(InformerEvent<ObjectNode> change) {
    switch (change) {
      case InformerEvent.Added<ObjectNode>(var now) -> seen(now);
      case InformerEvent.Updated<ObjectNode>(_, var now) -> seen(now);
      case InformerEvent.Removed<ObjectNode>(var last) ->
          ended(last.at("/metadata/name").asText()).countDown();
    }
  }

  private void seen(ObjectNode pod) {
    if (pod.at("/status/phase").asText().equals("Running")) {
      runs(pod.at("/metadata/name").asText()).complete(System.nanoTime());
    }
  }

  private CompletableFuture<Long> runs(String name) {
    return running.computeIfAbsent(name, _ -> new CompletableFuture<>());
  }

  private CountDownLatch ended(String name) {
    return gone.computeIfAbsent(name, _ -> new CountDownLatch(1));
  }

  /// Creates a pod as a user does, with the usual grace period and without resources.
  void create(String name) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
    ObjectNode spec = pod.putObject("spec").put("terminationGracePeriodSeconds", 30);
    if (!node.isEmpty()) {
      spec.put("nodeName", node);
    }
    if (!runtimeClass.isEmpty()) {
      spec.put("runtimeClassName", runtimeClass);
    }
    spec.putArray("containers").addObject().put("name", "c").put("image", NodeBench.IMAGE);
    client.json(ResourceType.PODS).create(pod);
  }

  /// Waits until a pod runs and returns the time, as [System#nanoTime].
  long awaitRunning(String name) {
    return runs(name).join();
  }

  void delete(String name) {
    client.json(ResourceType.PODS).delete(new ObjectKey(NAMESPACE, name), DeleteOptions.DEFAULT);
  }

  void awaitGone(String name) throws InterruptedException {
    ended(name).await();
    // After the pod is gone: a late event of the old pod must not complete the wait for a new one.
    running.remove(name);
    gone.remove(name);
  }

  @Override
  public void close() {
    pods.close();
    delays.close();
  }
}
