package dev.berth.agent.pods.plan;

import static dev.berth.agent.pods.plan.PlanWords.NOW;
import static dev.berth.agent.pods.plan.PlanWords.RUN;
import static dev.berth.agent.pods.plan.PlanWords.busy;
import static dev.berth.agent.pods.plan.PlanWords.changed;
import static dev.berth.agent.pods.plan.PlanWords.container;
import static dev.berth.agent.pods.plan.PlanWords.crashed;
import static dev.berth.agent.pods.plan.PlanWords.followed;
import static dev.berth.agent.pods.plan.PlanWords.inTrouble;
import static dev.berth.agent.pods.plan.PlanWords.observed;
import static dev.berth.agent.pods.plan.PlanWords.pod;
import static dev.berth.agent.pods.plan.PlanWords.probed;
import static dev.berth.agent.pods.plan.PlanWords.pulled;
import static dev.berth.agent.pods.plan.PlanWords.sandbox;
import static dev.berth.agent.pods.plan.PlanWords.text;
import static dev.berth.agent.pods.plan.PlanWords.words;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rows: what is wanted, what is there, and the steps between them.
///
/// They are written in the words of [PlanWords].
final class PodPlanTest {
  @ParameterizedTest(name = "policy {0}, init {1}, main {2}, sandbox {3}, there {4}: {5}")
  @CsvSource(
      nullValues = "-",
      value = {
        "Always, -, a, -, -, 'RunSandbox PullImage(a)'",
        "Always, -, a b, -, -, 'RunSandbox PullImage(a) PullImage(b)'",
        "Always, -, a, ready, -, PullImage(a)",
        "Always, -, a, ready, a=running, -",
        "Always, -, a, ready, a=new, PullImage(a)",
        "Always, -, a, ready, a=0, PullImage(a)",
        "Always, i, a, ready, -, PullImage(i)",
        "Always, i, a, ready, i=running, -",
        "Always, i, a, ready, i=0, PullImage(a)",
        "Always, i j, a, ready, i=0, PullImage(j)",
        "Always, i, a, ready, i=3, PullImage(i)",
        "Always, i, a, ready, i=0 a=running, -",
        "Always, -, a, dead, a=137, 'RunSandbox PullImage(a)'",
        "Always, -, a, dead, a=running, 'StopSandbox(s0) PullImage(a)'",
        "OnFailure, -, a, ready, a=1, PullImage(a)",
        "OnFailure, -, a, ready, a=0, done",
        "OnFailure, -, a b, ready, a=0 b=running, -",
        "Never, -, a, ready, a=1, done",
        "Never, -, a, dead, a=137, done",
        "Never, i, a, ready, i=2, done",
        "Never, -, a b, ready, a=0, PullImage(b)",
        "Never, -, a b, dead, a=0, done",
        "OnFailure, -, a b, dead, a=0 b=137, 'RunSandbox PullImage(b)'",
        "OnFailure, i, a, dead, i=0 a=137, 'RunSandbox PullImage(i)'",
        "Always, +s, a, ready, -, PullImage(s)",
        "Always, +s, a, ready, s=running, PullImage(a)",
        "Always, +s, a, ready, s=1 a=running, PullImage(s)",
        "Never, +s, a, ready, s=running a=0, done",
        "Always, -, a b, ready, a=cut, 'PullImage(b) RemoveContainer(a-0)'",
        "Never, -, a, ready, a=cut, RemoveContainer(a-0)",
        "Never, -, a, ready, a=void, 'StopSandbox(s0) PullImage(a)'",
        "Never, -, a, dead, a=void, 'RunSandbox PullImage(a) RemoveContainer(a-0)'",
        "Never, i, a, ready, i=void, 'StopSandbox(s0) PullImage(i)'",
        "Never, i, a, ready, i=cut, RemoveContainer(i-0)",
        "Never, +s, a, ready, s=cut, RemoveContainer(s-0)",
        "Never, -, a, dead, a=cut, 'RunSandbox PullImage(a) RemoveContainer(a-0)'",
      })
  void runs(String policy, String init, String main, String sandbox, String there, String steps) {
    Pod pod = pod(policy, words(init), words(main));

    PodPlan plan = PodPlan.compute(pod, RUN, observed(sandbox, there), PlanInput.NONE, NOW);

    assertThat(text(plan)).isEqualTo(steps == null ? "" : steps);
  }

  @Test
  void containersStartInTheirOrderEachWhenTheOneBeforeIsUp() {
    Pod pod = pod("Always", List.of(), List.of("a", "b"));
    Set<String> both = Set.of("a", "b");

    assertThat(text(PodPlan.compute(pod, RUN, observed("ready", null), pulled(both), NOW)))
        .isEqualTo("StartContainer(a)");
    assertThat(
            text(
                PodPlan.compute(
                    pod, RUN, observed("ready", "a=running"), busy(both, StepKey.start("a")), NOW)))
        .as("its postStart hook still runs")
        .isEmpty();
    assertThat(text(PodPlan.compute(pod, RUN, observed("ready", "a=running"), pulled(both), NOW)))
        .isEqualTo("StartContainer(b)");
  }

  @Test
  void aContainerInTroubleHoldsNobodyUp() {
    ContainerWaiting containerWaiting =
        new ContainerWaiting("ErrImagePull", "", NOW.plusSeconds(40))
            .lookingAt(NOW.plusSeconds(10));
    PlanInput memory = inTrouble(Set.of("b"), "a", containerWaiting);
    Pod pod = pod("Always", List.of(), List.of("a", "b"));

    PodPlan plan = PodPlan.compute(pod, RUN, observed("ready", null), memory, NOW);

    assertThat(text(plan)).isEqualTo("StartContainer(b)");
    assertThat(plan.lookAgain()).isEqualTo(NOW.plusSeconds(10));
    assertThat(
            text(PodPlan.compute(pod, RUN, observed("ready", null), memory, NOW.plusSeconds(10))))
        .as("somebody may have brought the image")
        .isEqualTo("FindImage(a) StartContainer(b)");
  }

  @Test
  void aContainerThatKeepsEndingWaits() {
    CrashBackoff crash = new CrashBackoff(Duration.ofSeconds(20), NOW.minusSeconds(60));
    PlanInput memory = crashed("a", crash);
    Pod pod = pod("Always", List.of(), List.of("a"));

    PodPlan plan = PodPlan.compute(pod, RUN, observed("ready", "a=1"), memory, NOW);

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.waiting().get(PodPart.container("a")))
        .isEqualTo(
            new ContainerWaiting(
                "CrashLoopBackOff",
                "back-off 20s restarting failed container=a pod=web_default(uid-1)",
                NOW.plusSeconds(19),
                WaitingCause.CRASH));
    assertThat(
            text(PodPlan.compute(pod, RUN, observed("ready", "a=1"), memory, NOW.plusSeconds(19))))
        .isEqualTo("StartContainer(a)");
  }

  @ParameterizedTest(name = "policy {0}, ended with {1}")
  @CsvSource({"Always, 0", "OnFailure, 0", "OnFailure, 143", "Never, 0", "Never, 143"})
  void aContainerWhoseDefinitionChangedIsRestartedWhateverThePolicy(String policy, String code) {
    Pod pod = pod(policy, List.of(), List.of("a"));
    CrashBackoff crash = new CrashBackoff(Duration.ofMinutes(5), NOW.minusSeconds(60));
    PlanInput memory = crashed("a", crash);

    PodPlan plan = PodPlan.compute(pod, RUN, changed(container("a", 0, code)), memory, NOW);

    assertThat(plan.steps())
        .as("at once: it was the other definition that kept ending")
        .containsExactly(new PodStep.StartContainer("a", 1, "s0", null));
  }

  @Test
  void whatWasToldAsEndedStaysSoThoughItsDefinitionChanges() throws Exception {
    Pod pod = pod("Never", List.of(), List.of("a"));
    RestartCounts none =
        RestartCounts.after(
            new ObjectMapper()
                .readTree(
                    """
                    {"containerStatuses": [{"name": "a",
                      "state": {"terminated": {"containerID": "containerd://a-0"}}}]}"""));
    PlanInput memory = followed(Set.of(), none);

    PodPlan plan = PodPlan.compute(pod, RUN, changed(container("a", 0, "0")), memory, NOW);

    assertThat(text(plan)).isEqualTo("done");
  }

  @Test
  void restartsAreCountedOnThoughSomebodyRemovedTheContainers() throws Exception {
    RestartCounts told =
        RestartCounts.after(
            new ObjectMapper()
                .readTree(
                    """
                    {"containerStatuses": [
                      {"name": "a", "restartCount": 4, "containerID": "containerd://a-4"},
                      {"name": "b", "restartCount": 0}]}"""));
    PlanInput memory = followed(Set.of("a", "b"), told);

    PodPlan plan =
        PodPlan.compute(
            pod("Always", List.of(), List.of("a", "b")), RUN, observed("ready", null), memory, NOW);

    assertThat(plan.steps()).containsExactly(new PodStep.StartContainer("a", 5, "s0", null));
    assertThat(told.numberAfterNone("b")).as("never ran").isZero();
  }

  @Test
  void anInitContainerWhoseDefinitionChangedGoesOn() {
    Pod pod = pod("Never", List.of("i"), List.of("a"));

    PodPlan plan =
        PodPlan.compute(pod, RUN, changed(container("i", 0, "running")), PlanInput.NONE, NOW);

    assertThat(text(plan)).isEmpty();
  }

  @Test
  void aContainerThatIsNotAliveIsStopped() {
    PlanInput memory = probed(Set.of(), "a-0", new Verdict(true, false, false));

    PodPlan plan =
        PodPlan.compute(
            pod("Always", List.of(), List.of("a")),
            RUN,
            observed("ready", "a=running"),
            memory,
            NOW);

    assertThat(plan.steps())
        .containsExactly(
            new PodStep.StopContainer(
                "a-0",
                "a",
                new GracePeriod(Duration.ofSeconds(30), NOW),
                "Container a failed liveness probe, will be restarted"));
  }

  @Test
  void aProbeMaySayHowLongItsContainerGets() {
    PlanInput memory = probed(Set.of(), "a-0", new Verdict(false, false, false));
    Pod pod = pod("Never", List.of(), List.of("a"));
    Probe probe = new ProbeBuilder().withTerminationGracePeriodSeconds(5L).build();
    pod.getSpec().getContainers().getFirst().setStartupProbe(probe);

    PodPlan plan = PodPlan.compute(pod, RUN, observed("ready", "a=running"), memory, NOW);

    assertThat(plan.steps())
        .containsExactly(
            new PodStep.StopContainer(
                "a-0",
                "a",
                new GracePeriod(Duration.ofSeconds(5), NOW),
                "Container a failed startup probe"));
  }

  @Test
  void aDebuggingContainerWaitsForNoOther() {
    Pod pod = pod("Always", List.of("i"), List.of("a"));
    pod.getSpec()
        .setEphemeralContainers(List.of(new EphemeralContainerBuilder().withName("debug").build()));

    assertThat(text(PodPlan.compute(pod, RUN, observed("ready", "i=running"), PlanInput.NONE, NOW)))
        .isEqualTo("PullImage(debug)");
    assertThat(
            text(
                PodPlan.compute(
                    pod, RUN, observed("ready", "i=3"), pulled(Set.of("debug", "i")), NOW)))
        .isEqualTo("StartContainer(debug) StartContainer(i)");
  }

  @Test
  void whatWasDoneInASandboxThatDiedIsNotDoneAgain() {
    ObservedSandbox next =
        new ObservedSandbox("s1", 1, true, NOW.plusSeconds(1), "", List.of(), Map.of());
    ObservedPod observed =
        new ObservedPod(
            List.of(next, sandbox(false)),
            List.of(container("a", 0, "0"), container("b", 0, "137")));

    PodPlan plan =
        PodPlan.compute(
            pod("OnFailure", List.of(), List.of("a", "b")),
            RUN,
            observed,
            pulled(Set.of("a", "b")),
            NOW);

    assertThat(text(plan)).isEqualTo("StartContainer(b)");
  }

  @Test
  void aSidecarHoldsTheOthersUntilItHasStarted() {
    PlanInput memory = probed(Set.of("a"), "s-0", new Verdict(false, false, true));

    PodPlan plan =
        PodPlan.compute(
            pod("Always", List.of("+s"), List.of("a")),
            RUN,
            observed("ready", "s=running"),
            memory,
            NOW);

    assertThat(plan.steps()).isEmpty();
  }

  @Test
  void oldInstancesGoButTheLastOneStays() {
    ObservedPod observed =
        new ObservedPod(
            List.of(sandbox(true)),
            List.of(
                container("a", 3, "running"),
                container("a", 2, "1"),
                container("a", 1, "1"),
                container("a", 0, "1")));

    PodPlan plan =
        PodPlan.compute(pod("Always", List.of(), List.of("a")), RUN, observed, PlanInput.NONE, NOW);

    assertThat(plan.steps())
        .containsExactly(new PodStep.RemoveContainer("a-1"), new PodStep.RemoveContainer("a-0"));
  }

  @ParameterizedTest
  @CsvSource({"-, 0, 10", "10, 5, 20", "20, 5, 40", "160, 5, 300", "300, 5, 300", "300, 700, 10"})
  void theBackOffDoublesUntilTheContainerRunsLong(String before, int ranSeconds, int after) {
    Instant ended = NOW.plusSeconds(ranSeconds);
    CrashBackoff crash =
        before.equals("-")
            ? null
            : new CrashBackoff(Duration.ofSeconds(Long.parseLong(before)), NOW);

    assertThat(CrashBackoff.next(crash, ended, ended).backoff())
        .isEqualTo(Duration.ofSeconds(after));
  }
}
