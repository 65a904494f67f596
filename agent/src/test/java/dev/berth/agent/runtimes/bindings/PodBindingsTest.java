package dev.berth.agent.runtimes.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.bindings.BindingDecision.Standing;
import dev.berth.agent.runtimes.bindings.PodBindings.Attempt;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.api.Problem;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PodBindingsTest {
  private static final PodBinding POD = new PodBinding("pod", "a", "runc");

  @TempDir private Path directory;
  private PodBindings bindings;

  @BeforeEach
  void open() throws IOException {
    bindings = PodBindings.open(directory);
  }

  @AfterEach
  void close() {
    bindings.close();
  }

  @Test
  void aPodIsBoundOnce() {
    assertThat(bindings.bind(POD, () -> true)).isEqualTo(new Attempt.Bound(POD));
    assertThat(bindings.bind(new PodBinding("pod", "b", ""), () -> true))
        .isEqualTo(new Attempt.Bound(POD));
    assertThat(bindings.find("pod")).contains(POD);
  }

  @Test
  void aBindingOutlivesTheAgent() throws Exception {
    bindings.bind(POD, () -> true);

    reopen();

    assertThat(bindings.find("pod")).contains(POD);
    assertThat(bindings.standing("pod")).isEqualTo(Standing.RECORDED);
  }

  @Test
  void aReleasedPodIsGone() throws Exception {
    bindings.bind(POD, () -> true);
    bindings.release("pod");
    assertThat(bindings.find("pod")).isEmpty();

    reopen();

    assertThat(bindings.find("pod")).isEmpty();
  }

  @Test
  void aServiceThatIsNoLongerAdmittedGetsNoPod() {
    assertThat(bindings.bind(POD, () -> false)).isEqualTo(new Attempt.NotAdmitted());
    assertThat(bindings.find("pod")).isEmpty();
    assertThat(bindings.count("a")).isZero();
  }

  @Test
  void aPodCountsWhileItIsBeingBound() {
    var seen = new AtomicInteger();

    bindings.bind(POD, () -> seen.addAndGet(bindings.count("a")) > 0);

    assertThat(seen).hasValue(1);
    assertThat(bindings.count("a")).isEqualTo(1);
  }

  @Test
  void twoCallersDoNotBindTheSamePodTwice() {
    var inner = new java.util.concurrent.atomic.AtomicReference<Attempt>();

    bindings.bind(
        POD,
        () -> {
          inner.set(bindings.bind(new PodBinding("pod", "b", ""), () -> true));
          return true;
        });

    assertThat(inner.get()).isEqualTo(new Attempt.Busy());
    assertThat(bindings.find("pod")).contains(POD);
  }

  @Test
  void podsAreFoundFromTheSandboxesOfServices() throws Exception {
    bindings.expect("a");
    bindings.recover("a", List.of(sandbox("pod", true, 1)));
    assertThat(bindings.find("pod")).contains(POD);

    reopen();

    assertThat(bindings.find("pod")).contains(POD);
  }

  @Test
  void aServiceThatHasNotAnsweredMayHoldUnknownPods() {
    bindings.expect("a");
    bindings.expect("b");
    bindings.recover("a", List.of());

    assertThat(bindings.mayHoldUnknownPods()).containsExactly("b");
    bindings.recover("b", List.of());
    assertThat(bindings.mayHoldUnknownPods()).isEmpty();
  }

  @Test
  void aWholeRecordLeavesNothingUnknown() throws Exception {
    bindings.expect("a");
    bindings.recover("a", List.of());

    reopen();
    bindings.expect("a");

    assertThat(bindings.mayHoldUnknownPods()).isEmpty();
    assertThat(bindings.hasAnswered("a")).isFalse();
  }

  @Test
  void anUnfinishedRecoveryIsNotForgottenOverARestart() throws Exception {
    bindings.expect("a");
    bindings.expect("b");
    bindings.recover("a", List.of(sandbox("pod", true, 1)));

    reopen();
    bindings.expect("a");
    bindings.expect("b");

    assertThat(bindings.mayHoldUnknownPods()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void theRecordIsCorrectedByTheServices() throws Exception {
    bindings.bind(POD, () -> true);
    reopen();
    bindings.expect("a");
    bindings.expect("b");

    bindings.recover("b", List.of(sandbox("pod", true, 1)));
    assertThat(bindings.find("pod")).contains(POD);
    assertThat(bindings.conflicts()).hasSize(1);
    bindings.recover("a", List.of());

    assertThat(bindings.find("pod")).contains(new PodBinding("pod", "b", "runc"));
    assertThat(bindings.conflicts()).isEmpty();
  }

  @Test
  void twoClaimsAreDecidedAndReported() {
    bindings.expect("a");
    bindings.expect("b");
    bindings.recover("a", List.of(sandbox("pod", true, 1)));
    bindings.recover("b", List.of(sandbox("pod", true, 2)));

    assertThat(bindings.find("pod")).contains(new PodBinding("pod", "b", "runc"));
    assertThat(bindings.conflicts())
        .containsExactly(
            new Problem(
                "pod pod is claimed by more than one runtime service",
                "it belongs to b, and a (sandbox s1) has it too",
                "Remove the sandbox that is not needed; the agent uses only that of b"));
    bindings.release("pod");
    assertThat(bindings.conflicts()).isEmpty();
  }

  @Test
  void whatIsUsedDoesNotMove() {
    bindings.expect("a");
    bindings.expect("b");
    bindings.recover("a", List.of(sandbox("pod", false, 1)));
    assertThat(bindings.confirm("pod")).contains(POD);

    bindings.recover("b", List.of(sandbox("pod", true, 2)));

    assertThat(bindings.find("pod")).contains(POD);
    assertThat(bindings.conflicts()).hasSize(1);
  }

  @Test
  void anAnswerOfARemovedServiceCountsNoMore() {
    bindings.expect("a");
    bindings.forget("a");

    bindings.recover("a", List.of(sandbox("pod", true, 1)));

    assertThat(bindings.find("pod")).isEmpty();
  }

  @Test
  void waitingEndsWhenTheLastPodLeaves() throws Exception {
    bindings.bind(POD, () -> true);
    assertThat(bindings.awaitNone("a", Duration.ofMillis(1))).isEqualTo(1);
    var left = new AtomicInteger(-1);
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    left.set(bindings.awaitNone("a", Duration.ofMinutes(1)));
                  } catch (InterruptedException _) {
                    left.set(-2);
                  }
                });
    Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);

    bindings.release("pod");

    waiting.join();
    assertThat(left).hasValue(0);
  }

  @Test
  void drainsAreRemembered() throws Exception {
    bindings.drain("a", Instant.EPOCH);
    bindings.drain("b", Instant.EPOCH);
    bindings.resume("b");

    reopen();

    assertThat(bindings.drainedAtStart()).containsOnlyKeys("a");
  }

  @Test
  void withoutADiskNothingIsBound() throws Exception {
    bindings.close();

    assertThat(bindings.bind(POD, () -> true))
        .isEqualTo(
            new Attempt.NotRecorded(
                new Problem(
                    "pod pod cannot be bound to runtime service a",
                    "the agent is shutting down",
                    "Make room on the agent's disk and check that its data directory can be written")));
    assertThat(bindings.find("pod")).isEmpty();
  }

  private void reopen() throws IOException {
    bindings.close();
    open();
  }

  private static PodSandbox sandbox(String pod, boolean ready, long createdAt) {
    return PodSandbox.newBuilder()
        .setId("s" + createdAt)
        .setMetadata(PodSandboxMetadata.newBuilder().setUid(pod))
        .setState(ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY)
        .setCreatedAt(createdAt)
        .setRuntimeHandler("runc")
        .build();
  }
}
