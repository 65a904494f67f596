package dev.berth.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.TruncatedText;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.events.EventOccurrence;
import dev.berth.client.events.EventRecorder;
import dev.berth.client.events.EventSource;
import dev.berth.client.events.InvolvedObject;
import dev.berth.scheduler.model.PodInfo;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports scheduling results to the API server: the condition PodScheduled and events.
///
/// Reports of one pod are written in order. When the server is too slow, reports are dropped so
/// that scheduling is not delayed.
///
/// Dropping is safe: a report changes nothing about where a pod goes. The next refusal with another
/// message, or the binding itself, makes the status right again.
final class SchedulingReporter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SchedulingReporter.class);
  // The pod's key chooses the lane, so that an older refusal never overwrites a newer one. One
  // request of each lane is in flight at most, so that the server's seats are left to the binds.
  private static final int LANES = 8;
  // A closure with the pod's compact values; thousands of pods that are refused in one pass fit.
  private static final int WAITING_PER_LANE = 1_000;

  private final ResourceClient<ObjectNode> pods;
  private final EventRecorder recorder;
  private final InstantSource clock;
  private final List<BlockingQueue<Runnable>> lanes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  SchedulingReporter(ApiClient client, InstantSource clock) {
    this.pods = client.json(ResourceType.PODS);
    this.recorder = new EventRecorder(client.json(ResourceType.EVENTS), clock);
    this.clock = clock;
    for (int i = 0; i < LANES; i++) {
      BlockingQueue<Runnable> lane = new ArrayBlockingQueue<>(WAITING_PER_LANE);
      lanes.add(lane);
      threads.add(Thread.ofVirtual().name("scheduler-report-" + i).start(() -> work(lane)));
    }
  }

  void scheduled(PodInfo pod, String node) {
    String message = "Successfully assigned %s to %s".formatted(pod.key(), node);
    report(pod, () -> recorder.write(event(pod, false, "Scheduled", message)));
  }

  void refused(PodInfo pod, String message) {
    report(
        pod,
        () -> {
          writeCondition(pod, message);
          recorder.write(event(pod, true, "FailedScheduling", message));
        });
  }

  private void report(PodInfo pod, Runnable writing) {
    if (!lanes.get(Math.floorMod(pod.key().hashCode(), LANES)).offer(writing)) {
      log.debug("report dropped pod={}", pod.key());
    }
  }

  private static void work(BlockingQueue<Runnable> lane) {
    try {
      while (true) {
        attempt(lane.take());
      }
    } catch (InterruptedException _) {
      // Closed: the next leader reports the remaining pods.
    }
  }

  private static void attempt(Runnable writing) {
    try {
      writing.run();
    } catch (ApiException e) {
      // The pod or its namespace may be gone; then no report is needed.
      log.debug("report refused reason={}", e.getMessage());
    } catch (ClientException e) {
      log.info("report not written reason={}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("report failed", e);
    }
  }

  private void writeCondition(PodInfo pod, String message) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    // A precondition: a new pod of the same name must not get the condition of the old one.
    patch.putObject("metadata").put("uid", pod.uid());
    ObjectNode condition =
        patch.putObject("status").putArray("conditions").addObject().put("type", "PodScheduled");
    condition.put("status", "False").put("reason", "Unschedulable");
    condition.put("message", TruncatedText.of(message, TruncatedText.MESSAGE));
    // Written as null, as upstream does; clients compare whole conditions.
    condition.putNull("lastProbeTime").put("lastTransitionTime", now().toString());
    pods.patch(pod.key(), ObjectPatch.strategic(patch), "status");
  }

  private EventOccurrence event(PodInfo pod, boolean isWarning, String reason, String message) {
    return recorder.happened(
        EventSource.of(pod.schedulerName()),
        InvolvedObject.ofPod(pod.key(), pod.uid(), ""),
        isWarning,
        reason,
        message);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }
}
