package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// Measures how long the pods of a tour take from their creation until they are ready. Timestamps
/// in the API are seconds, which is too coarse for that.
final class StartTimes implements AutoCloseable {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final ApiClient client;

  /// When a pod was seen first, and when it was ready, in nanoseconds.
  private final Map<String, Long> created = new ConcurrentHashMap<>();

  private final Map<String, Long> ready = new ConcurrentHashMap<>();
  private final Thread thread = Thread.ofVirtual().name("start-times").unstarted(this::run);

  private StartTimes(ApiClient client) {
    this.client = client;
  }

  static StartTimes watch(ApiClient client) {
    StartTimes times = new StartTimes(client);
    times.thread.start();
    return times;
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        client
            .json(ResourceType.PODS)
            .list(ListQuery.inNamespace(DemoPod.NAMESPACE))
            .forEach(this::see);
      } catch (ClientException _) {
        // The tour itself notices a server that is gone.
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  void see(ObjectNode pod) {
    String name = pod.at("/metadata/name").asText();
    long now = System.nanoTime();
    created.putIfAbsent(name, now);
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")
          && condition.path("status").asText().equals("True")) {
        ready.putIfAbsent(name, now);
      }
    }
  }

  /// Empty if the pod is not ready.
  Optional<Duration> of(String pod) {
    Long begin = created.get(pod);
    Long end = ready.get(pod);
    return begin == null || end == null
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(end - begin));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
