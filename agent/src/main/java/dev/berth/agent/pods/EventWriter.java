package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.act.PodEvents;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.ObjectKey;
import dev.berth.client.Patch;
import dev.berth.client.Resources;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes events of pods; the same one again raises the count of the first. When the server cannot
/// keep up, events are dropped rather than pods slowed down.
final class EventWriter implements PodEvents, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWriter.class);
  private static final String COMPONENT = "berth-agent";
  private static final int WAITING = 1_000;
  private static final int REMEMBERED = 1_000;

  /// @param involved the reference of what it is about
  private record Subject(ObjectNode involved, String reason, String message) {}

  private record Written(ObjectKey key, int count) {}

  private final Resources<ObjectNode> events;
  private final String node;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread;

  /// Of the writer's thread; the oldest are forgotten.
  private final Map<Subject, Written> written =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Subject, Written> eldest) {
          return size() > REMEMBERED;
        }
      };

  EventWriter(
      Resources<ObjectNode> events, String node, InstantSource clock, RandomGenerator random) {
    this.events = events;
    this.node = node;
    this.clock = clock;
    this.random = random;
    this.thread = Thread.ofVirtual().name("pod-events").start(this::work);
  }

  @Override
  public void tell(Pod pod, String container, boolean warning, String reason, String message) {
    offer(() -> involved(pod, container), warning, reason, message);
  }

  /// Tells of something that happened to the node.
  void warnOfNode(String reason, String message) {
    offer(this::involvedNode, true, reason, message);
  }

  private void offer(
      Supplier<ObjectNode> involved, boolean warning, String reason, String message) {
    String now = now();
    if (!waiting.offer(() -> write(new Subject(involved.get(), reason, message), warning, now))) {
      log.debug("event dropped reason={} message={}", reason, message);
    }
  }

  private void work() {
    try {
      while (true) {
        attempt(waiting.take());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private static void attempt(Runnable writing) {
    try {
      writing.run();
    } catch (ApiException e) {
      // The namespace may be gone; nobody is left to be told.
      log.debug("event refused: {}", e.getMessage());
    } catch (ClientException e) {
      log.debug("event not written: {}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("event failed", e);
    }
  }

  private void write(Subject subject, boolean warning, String time) {
    Written before = written.get(subject);
    if (before != null) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.put("count", before.count() + 1).put("lastTimestamp", time);
      events.patch(before.key(), Patch.merge(patch));
      written.put(subject, new Written(before.key(), before.count() + 1));
      return;
    }
    ObjectNode event = event(subject.involved(), time);
    event.put("type", warning ? "Warning" : "Normal").put("reason", subject.reason());
    event.put("message", subject.message()).put("count", 1);
    events.create(event);
    written.put(subject, new Written(events.codec().key(event), 1));
  }

  private ObjectNode event(ObjectNode involved, String time) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put("namespace", involved.path("namespace").asText("default"))
        .put("name", involved.path("name").asText() + "." + Long.toHexString(random.nextLong()));
    event.set("involvedObject", involved);
    event.put("firstTimestamp", time).put("lastTimestamp", time);
    event.putObject("source").put("component", COMPONENT).put("host", node);
    event.put("reportingComponent", COMPONENT).put("reportingInstance", node);
    return event;
  }

  private static ObjectNode involved(Pod pod, String container) {
    var metadata = pod.getMetadata();
    ObjectNode involved = JsonNodeFactory.instance.objectNode();
    involved.put("apiVersion", "v1").put("kind", "Pod");
    involved.put("namespace", metadata.getNamespace()).put("name", metadata.getName());
    involved.put("uid", metadata.getUid());
    if (!container.isEmpty()) {
      involved.put("fieldPath", "spec.containers{" + container + "}");
    }
    return involved;
  }

  /// A node's events are found by its name, which stands for its UID, too.
  private ObjectNode involvedNode() {
    ObjectNode involved = JsonNodeFactory.instance.objectNode();
    involved.put("apiVersion", "v1").put("kind", "Node").put("name", node).put("uid", node);
    return involved;
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
