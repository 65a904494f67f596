package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.admission.AdmittedPods;
import dev.berth.agent.pods.admission.PodAdmissionQueue;
import dev.berth.agent.pods.admission.PodAdmissionQueue.Answer;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.ResourceAllocation;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/// Who gets the room of a node that several pods ask for at the same instant.
final class AllotmentTest {
  private static final JsonNode HAS_HALF =
      Serialization.unmarshal(
          "containerStatuses: [{name: c, resources: {requests: {cpu: 500m}}}]", JsonNode.class);

  private final PodAdmissionQueue admissions =
      new PodAdmissionQueue(new ContainerCapacity(2_000, 0, 0));

  /// What each has, by UID.
  private final Map<String, Pod> has = new ConcurrentHashMap<>();

  @Test
  void ofTwoThatAskForMoreOneGetsIt() throws InterruptedException {
    has.put("first", pod("first", "500m"));
    has.put("second", pod("second", "500m"));
    Thread other = new Thread(() -> allot("second", "1300m", () -> {}));

    allot("first", "1300m", () -> comes(other));

    other.join();
    assertThat(has)
        .containsEntry("first", pod("first", "1300m"))
        .containsEntry("second", pod("second", "500m"));
  }

  @Test
  void aNewPodFindsWhatAnotherOneWasJustGiven() throws InterruptedException {
    has.put("first", pod("first", "500m"));
    Pod small = pod("new", "1000m");
    small.setStatus(null);
    Answer[] answer = new Answer[1];
    Thread other = new Thread(() -> answer[0] = admissions.ask(small, admittedPods(() -> {})));

    allot("first", "1300m", () -> comes(other));

    other.join();
    assertThat(has).containsEntry("first", pod("first", "1300m"));
    assertThat(answer[0]).isInstanceOf(Answer.Refused.class);
  }

  /// Lets another one go as far as it gets.
  private static void comes(Thread other) {
    other.start();
    while (!Set.of(Thread.State.WAITING, Thread.State.TERMINATED).contains(other.getState())) {
      Thread.onSpinWait();
    }
  }

  /// @param looked called when what the others have was looked up
  private void allot(String uid, String wanted, Runnable looked) {
    Pod asks = pod(uid, wanted);
    assertThat(ResourceAllocation.asks(asks, HAS_HALF)).isTrue();
    admissions.allot(asks, HAS_HALF, admittedPods(looked), given -> has.put(uid, given.pod()));
  }

  private AdmittedPods admittedPods(Runnable looked) {
    return new AdmittedPods() {
      @Override
      public List<Pod> present() {
        List<Pod> all = List.copyOf(has.values());
        looked.run();
        return all;
      }

      @Override
      public boolean hasStopped(String uid) {
        return false;
      }

      @Override
      public void preempt(String uid, PodFailure why, String shortOf) {
        throw new AssertionError("nobody has to go");
      }
    };
  }

  private static Pod pod(String uid, String cpu) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, uid: %s}
        spec: {containers: [{name: c, resources: {requests: {cpu: %s}}}]}
        status: {startTime: '2026-01-01T00:00:00Z'}
        """
            .formatted(uid, cpu),
        Pod.class);
  }
}
