package dev.berth.agent.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.act.PodEvents;
import dev.berth.agent.pods.observed.WakeSignal;
import dev.berth.api.TruncatedText;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.DelayedActions;
import dev.berth.client.EventSuffixes;
import dev.berth.client.NoAnswerException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes events of pods and of the node; the same one again raises the count of the first, which
/// is written less often the more often it happens. While the server is away they wait for it; when
/// there are too many, events are dropped rather than pods slowed down.
public final class EventWriter implements PodEvents, NodeEvents, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWriter.class);

  /// As upstream's node agent is called: clients filter events by it.
  private static final String COMPONENT = "kubelet";

  private static final String MANY = "(combined from similar events): ";
  private static final int WAITING = 1_000;
  private static final int REMEMBERED = 1_000;
  private static final int TRIES = 12;
  private static final Duration AGAIN = Duration.ofSeconds(10);

  /// @param involved the reference of what it is about
  /// @param message [#MANY] for one that stands for many
  private record Subject(ObjectNode involved, String reason, String message) {}

  /// One time that it happened.
  ///
  /// @param message what is told of it
  /// @param suffix of the event's name, should it be the first of its sort: the same in every try,
  ///   so that none is written twice
  private record Happening(boolean warning, Instant time, String message, String suffix) {}

  private record Written(ObjectKey key, int count) {}

  private final ResourceClient<ObjectNode> events;
  private final String node;
  private final InstantSource clock;
  private final EventSuffixes suffixes;
  private final DelayedActions delays;
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

  // Of the writer's thread.
  private final SimilarEvents similar = new SimilarEvents();
  private final EventRateLimit restraint = new EventRateLimit();

  public EventWriter(
      ResourceClient<ObjectNode> events, String node, InstantSource clock, DelayedActions delays) {
    this.events = events;
    this.node = node;
    this.clock = clock;
    this.suffixes = new EventSuffixes(clock);
    this.delays = delays;
    this.thread = Thread.ofVirtual().name("events").start(this::work);
  }

  @Override
  public void tell(Pod pod, String container, boolean warning, String reason, String message) {
    offer(() -> involved(pod, container), warning, reason, message);
  }

  @Override
  public void tell(boolean warning, String reason, String message) {
    offer(this::involvedNode, warning, reason, message);
  }

  private void offer(
      Supplier<ObjectNode> involved, boolean warning, String reason, String message) {
    String bounded = TruncatedText.of(message, TruncatedText.EVENT);
    var happening = new Happening(warning, clock.instant(), bounded, suffixes.next());
    if (!waiting.offer(() -> write(involved.get(), reason, happening))) {
      log.debug("event dropped reason={} message={}", reason, bounded);
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

  private void attempt(Runnable writing) throws InterruptedException {
    for (int i = 1; !isOver(writing) && i < TRIES; i++) {
      new WakeSignal().await(AGAIN, delays);
    }
  }

  /// Makes one try; whether another one would be of no use.
  private static boolean isOver(Runnable writing) {
    try {
      writing.run();
    } catch (NoAnswerException e) {
      log.debug("event not written yet: {}", e.getMessage());
      return false;
    } catch (ApiException e) {
      // The namespace may be gone; nobody is left to be told.
      log.debug("event refused: {}", e.getMessage());
      return !e.isPassing();
    } catch (ClientException e) {
      log.debug("event not written: {}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("event failed", e);
    }
    return true;
  }

  private void write(ObjectNode involved, String reason, Happening happening) {
    String message = happening.message();
    boolean isOneOfMany =
        similar.isOneOfMany(involved, happening.warning(), reason, message, happening.time());
    Subject subject = new Subject(involved, reason, isOneOfMany ? MANY : message);
    Written before = written.get(subject);
    if (before == null || !isRaised(subject, before, happening)) {
      create(subject, happening);
    }
  }

  /// Events do not live for ever: one that is gone cannot be counted on.
  private boolean isRaised(Subject subject, Written before, Happening happening) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.put("count", before.count() + 1).put("lastTimestamp", text(happening.time()));
    if (subject.message().equals(MANY)) {
      patch.put("message", words(subject, happening));
    }
    String uid = subject.involved().path("uid").asText();
    try {
      if (restraint.allows(uid, happening.time())) {
        events.patch(before.key(), ObjectPatch.merge(patch));
        restraint.written(uid, happening.time());
      }
    } catch (ApiException e) {
      if (e.isNotFound()) {
        written.remove(subject);
        return false;
      }
      throw e;
    }
    written.put(subject, new Written(before.key(), before.count() + 1));
    return true;
  }

  private void create(Subject subject, Happening happening) {
    ObjectNode event = event(subject.involved(), happening);
    event.put("type", happening.warning() ? "Warning" : "Normal").put("reason", subject.reason());
    event.put("message", words(subject, happening)).put("count", 1);
    events.create(event);
    written.put(subject, new Written(events.codec().key(event), 1));
  }

  private static String words(Subject subject, Happening happening) {
    return subject.message().equals(MANY)
        ? TruncatedText.of(MANY + happening.message(), TruncatedText.EVENT)
        : subject.message();
  }

  private ObjectNode event(ObjectNode involved, Happening happening) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put("namespace", involved.path("namespace").asText("default"))
        .put("name", involved.path("name").asText() + "." + happening.suffix());
    event.set("involvedObject", involved);
    event.put("firstTimestamp", text(happening.time()));
    event.put("lastTimestamp", text(happening.time()));
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
      involved.put("fieldPath", "spec.%s{%s}".formatted(list(pod, container), container));
    }
    return involved;
  }

  /// The list of the specification in which a container is.
  private static String list(Pod pod, String container) {
    PodSpec spec = pod.getSpec();
    if (spec.getInitContainers().stream().anyMatch(one -> one.getName().equals(container))) {
      return "initContainers";
    }
    return spec.getEphemeralContainers().stream().anyMatch(one -> one.getName().equals(container))
        ? "ephemeralContainers"
        : "containers";
  }

  /// A node's events are found by its name, which stands for its UID, too.
  private ObjectNode involvedNode() {
    ObjectNode involved = JsonNodeFactory.instance.objectNode();
    involved.put("apiVersion", "v1").put("kind", "Node").put("name", node).put("uid", node);
    return involved;
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
