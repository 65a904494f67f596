package dev.berth.agent.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.DelayedActions;
import dev.berth.client.NoAnswerException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.events.EventOccurrence;
import dev.berth.client.events.EventRecorder;
import dev.berth.client.events.EventSource;
import dev.berth.client.events.InvolvedObject;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes events of pods and of the node on a thread of its own. While the server is away, events
/// wait in a bounded queue; beyond the bound they are dropped, so that pods are never slowed down.
public final class EventWriter implements PodEvents, NodeEvents, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWriter.class);

  /// The component name of upstream's node agent: clients filter events by it.
  private static final String COMPONENT = "kubelet";

  /// Bound of the queue: beyond it events are dropped, because a server that is away must not fill
  /// the memory of the node.
  private static final int WAITING = 1_000;

  /// Upstream's limit, twelve attempts ten seconds apart, so that an event survives two minutes of
  /// an outage.
  private static final int TRIES = 12;

  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final EventRecorder recorder;
  private final EventSource source;
  private final DelayedActions delays;
  private final BlockingQueue<EventOccurrence> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread;

  public EventWriter(
      ResourceClient<ObjectNode> events, String node, InstantSource clock, DelayedActions delays) {
    this.recorder = new EventRecorder(events, clock);
    this.source = new EventSource(COMPONENT, node);
    this.delays = delays;
    this.thread = Thread.ofVirtual().name("events").start(this::work);
  }

  @Override
  public void publish(Pod pod, String container, boolean warning, String reason, String message) {
    offer(involved(pod, container), warning, reason, message);
  }

  @Override
  public void publish(boolean warning, String reason, String message) {
    offer(InvolvedObject.ofNode(source.host()), warning, reason, message);
  }

  private void offer(InvolvedObject involved, boolean warning, String reason, String message) {
    EventOccurrence occurrence = recorder.happened(source, involved, warning, reason, message);
    if (!waiting.offer(occurrence)) {
      log.debug("event dropped reason={} message={}", reason, occurrence.message());
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

  private void attempt(EventOccurrence occurrence) throws InterruptedException {
    for (int i = 1; !isOver(occurrence) && i < TRIES; i++) {
      new WakeSignal().await(AGAIN, delays);
    }
  }

  /// Tries once.
  ///
  /// @return whether another attempt is pointless
  private boolean isOver(EventOccurrence occurrence) {
    try {
      recorder.write(occurrence);
    } catch (NoAnswerException e) {
      log.debug("event not written yet reason={}", e.getMessage());
      return false;
    } catch (ApiException e) {
      // The namespace may be deleted, and its events with it.
      log.debug("event refused reason={}", e.getMessage());
      return !e.isPassing();
    } catch (ClientException e) {
      log.debug("event not written reason={}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("event failed", e);
    }
    return true;
  }

  private static InvolvedObject involved(Pod pod, String container) {
    var metadata = pod.getMetadata();
    String fieldPath =
        container.isEmpty() ? "" : "spec.%s{%s}".formatted(list(pod, container), container);
    ObjectKey key = new ObjectKey(metadata.getNamespace(), metadata.getName());
    return InvolvedObject.ofPod(key, metadata.getUid(), fieldPath);
  }

  /// The field of the specification that lists the container.
  private static String list(Pod pod, String container) {
    PodSpec spec = pod.getSpec();
    if (spec.getInitContainers().stream().anyMatch(one -> one.getName().equals(container))) {
      return "initContainers";
    }
    return spec.getEphemeralContainers().stream().anyMatch(one -> one.getName().equals(container))
        ? "ephemeralContainers"
        : "containers";
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
