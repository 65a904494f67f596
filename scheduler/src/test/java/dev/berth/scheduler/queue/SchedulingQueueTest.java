package dev.berth.scheduler.queue;

import static dev.berth.scheduler.model.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.fake.ManualTime;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.queue.SchedulingQueue.Sizes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SchedulingQueueTest {
  private static final QueueingHint NOTHING = new QueueingHint("Test", Set.of(), _ -> false);
  private static final QueueingHint EVERYTHING = new QueueingHint("Test", Set.of(), _ -> true);

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final List<String> arrivals = new ArrayList<>();
  private final SchedulingQueue queue =
      new SchedulingQueue(time, (part, event) -> arrivals.add(part.label() + " " + event));

  private QueuedPod refuseNext(RefusalCause cause) {
    QueuedPod next = queue.poll().orElseThrow();
    queue.waitFor(next, EnumSet.of(cause));
    return next;
  }

  @Test
  void podsAreTriedInTheOrderInWhichTheyCame() {
    queue.put(pod("b", ""), "");
    queue.put(pod("a", ""), "");

    assertThat(queue.poll().orElseThrow().pod().key().name()).isEqualTo("b");
    assertThat(queue.poll().orElseThrow().pod().key().name()).isEqualTo("a");
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void aRefusedPodSleepsUntilSomethingCouldHelp() {
    queue.put(pod("a", ""), "");
    refuseNext(RefusalCause.RESOURCES);
    time.advance(Duration.ofMinutes(1));

    assertThat(queue.wake(NOTHING)).isZero();
    assertThat(queue.poll()).isEmpty();
    assertThat(queue.wake(EVERYTHING)).isEqualTo(1);
    assertThat(queue.poll()).isPresent();
  }

  @Test
  void aHintWakesPodsRefusedForItsCauses() {
    queue.put(pod("a", ""), "");
    refuseNext(RefusalCause.NO_NODES);
    time.advance(Duration.ofSeconds(1));

    assertThat(
            queue.wake(new QueueingHint("NodeAdd", EnumSet.of(RefusalCause.NO_NODES), _ -> false)))
        .isEqualTo(1);
  }

  @Test
  void aPodThatIsWokenOftenBacksOffButNeverForASecond() {
    queue.put(pod("a", ""), "");
    for (int i = 0; i < 10; i++) {
      refuseNext(RefusalCause.RESOURCES);
      queue.wake(EVERYTHING);
      assertThat(queue.poll()).isEmpty();
      assertThat(queue.untilNext()).isBetween(Duration.ofMillis(100), Duration.ofMillis(800));
      time.advance(queue.untilNext());
    }
    assertThat(queue.poll()).isPresent();
  }

  @Test
  void everyPodIsLookedAtAgainAfterAWhile() {
    queue.put(pod("a", ""), "");
    refuseNext(RefusalCause.RESOURCES);
    time.advance(Duration.ofMinutes(4));
    assertThat(queue.poll()).isEmpty();
    time.advance(Duration.ofMinutes(6));
    assertThat(queue.poll()).isPresent();
  }

  @Test
  void gatedPodsWaitForTheirGates() {
    assertThat(queue.put(pod("a", "'schedulingGates':[{'name':'quota'}]"), "")).isFalse();
    assertThat(queue.sizes()).isEqualTo(new Sizes(0, 0, 0, 1));
    assertThat(queue.wake(EVERYTHING)).isZero();

    assertThat(queue.put(pod("a", ""), "")).isTrue();
    assertThat(queue.poll()).isPresent();
  }

  @Test
  void anUpdateThatChangesNothingForSchedulingDoesNotWake() {
    queue.put(pod("a", ""), "");
    refuseNext(RefusalCause.RESOURCES);

    assertThat(queue.put(pod("a", ""), "0/1 nodes are available")).isFalse();
    assertThat(queue.put(pod("a", "'nodeSelector':{'x':'y'}"), "")).isTrue();
  }

  @Test
  void failedBindsAreRepeatedLaterEachTime() {
    queue.put(pod("a", ""), "");
    QueuedPod pod = queue.poll().orElseThrow();
    queue.retry(pod);
    Duration first = queue.untilNext();
    time.advance(first);
    queue.retry(queue.poll().orElseThrow());

    assertThat(queue.untilNext()).isEqualTo(first.multipliedBy(2));
    assertThat(queue.sizes()).isEqualTo(new Sizes(0, 1, 0, 0));
  }

  @Test
  void aMessageIsToldOnce() {
    queue.put(pod("a", ""), "0/1 old");
    QueuedPod pod = queue.poll().orElseThrow();

    assertThat(pod.updateMessage("0/1 old")).isFalse();
    assertThat(pod.updateMessage("0/2 new")).isTrue();
    assertThat(pod.updateMessage("0/2 new")).isFalse();
  }

  @Test
  void aRemovedPodIsNowhere() {
    queue.put(pod("a", ""), "");
    QueuedPod pod = queue.poll().orElseThrow();
    queue.retry(pod);
    queue.remove(pod.pod().key());

    assertThat(queue.sizes()).isEqualTo(new Sizes(0, 0, 0, 0));
  }

  @Test
  void everyArrivalIsToldWithTheEventThatCausedIt() {
    queue.put(pod("a", ""), "");
    refuseNext(RefusalCause.RESOURCES);
    queue.wake(new QueueingHint("NodeAdd", Set.of(), _ -> true));
    time.advance(queue.untilNext());
    QueuedPod pod = queue.poll().orElseThrow();
    queue.retry(pod);
    queue.put(pod("g", "'schedulingGates':[{'name':'quota'}]"), "");

    assertThat(arrivals)
        .containsExactly(
            "active UnscheduledPodAdd",
            "unschedulable ScheduleAttemptFailure",
            "backoff NodeAdd",
            "active BackoffComplete",
            "backoff ScheduleAttemptFailure",
            "gated UnscheduledPodAdd");
  }

  @Test
  void aPodCountsAsRefusedUntilItIsTriedAgainOrGone() {
    queue.put(pod("a", ""), "");
    refuseNext(RefusalCause.RESOURCES);
    assertThat(refused()).containsExactly("a");

    queue.wake(EVERYTHING);
    assertThat(refused()).containsExactly("a");
    time.advance(queue.untilNext());
    QueuedPod tried = queue.poll().orElseThrow();
    assertThat(refused()).isEmpty();

    queue.retry(tried);
    assertThat(refused()).isEmpty();
    time.advance(queue.untilNext());
    refuseNext(RefusalCause.TAINT);
    queue.remove(tried.pod().key());
    assertThat(refused()).isEmpty();
  }

  private List<String> refused() {
    List<String> names = new ArrayList<>();
    queue.forEachRefused(waiting -> names.add(waiting.pod().key().name()));
    return names;
  }
}
