package dev.berth.agent.pods.plan;

import static dev.berth.agent.pods.plan.PlanWords.ALL;
import static dev.berth.agent.pods.plan.PlanWords.GRACE;
import static dev.berth.agent.pods.plan.PlanWords.NOW;
import static dev.berth.agent.pods.plan.PlanWords.RUN;
import static dev.berth.agent.pods.plan.PlanWords.observed;
import static dev.berth.agent.pods.plan.PlanWords.pod;
import static dev.berth.agent.pods.plan.PlanWords.text;
import static dev.berth.agent.pods.plan.PlanWords.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.observed.ObservedPod;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LifecycleBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is done to end a pod, in the words of [PlanWords].
final class EndPlanTest {
  private static final DesiredState REMOVE =
      new DesiredState.Stop(GRACE, true, "Stopping container");
  private static final DesiredState KEEP =
      new DesiredState.Stop(GRACE, false, "Stopping container");

  @ParameterizedTest(name = "init {0}, sandbox {1}, there {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, done",
        "-, ready, a=running b=running, 'StopContainer(a) StopContainer(b)'",
        "-, ready, a=running b=0, StopContainer(a)",
        "-, ready, a=0 b=0, StopSandbox(s0)",
        "-, ready, a=new, StopSandbox(s0)",
        "-, dead, a=0 b=0, RemoveSandbox(s0)",
        "+s +t, ready, s=running t=running a=running, 'PreStop(s) PreStop(t) StopContainer(a)'",
        "+s +t, ready, s=running t=running a=0, 'PreStop(s) StopContainer(t)'",
        "+s +t, ready, s=running t=0 a=0, StopContainer(s)",
        "+s, ready, s=running debug=running a=running, 'PreStop(s) StopContainer(debug) StopContainer(a)'",
        "+s, ready, s=running debug=running a=0, 'StopContainer(s) StopContainer(debug)'",
        "+s i, ready, s=running i=running, 'StopContainer(s) StopContainer(i)'",
        "-, ready, a=cut, StopSandbox(s0)",
      })
  void ends(String init, String sandbox, String there, String steps) {
    Pod pod = pod("Always", words(init), List.of("a", "b"));

    PodPlan plan = PodPlan.compute(pod, REMOVE, observed(sandbox, there), PlanInput.NONE, NOW);

    assertThat(text(plan)).isEqualTo(steps);
  }

  @ParameterizedTest(name = "there {0}, ready {1}, after {2} s: {3}, looks again {4}")
  @CsvSource(
      nullValues = "-",
      value = {
        "s=running t=running a=running b=running, -, 0, 'PreStop(s) PreStop(t) PreStop(a) StopContainer(b)', true",
        "s=running t=running a=running, s t, 3, PreStop(a), true",
        "s=running t=running a=running, s t a, 3, StopContainer(a), true",
        "s=running t=running a=0, s, 3, PreStop(t), true",
        "s=running t=running a=0, s t, 3, StopContainer(t), true",
        "s=running t=0 a=0, s t, 3, StopContainer(s), false",
        "s=running t=running a=running, s, 7, 'StopContainer(s) StopContainer(t) StopContainer(a)', false",
      })
  void hooksBeginAtOnceAndOnlyTheStopsOfSidecarsWaitWhileThereIsTime(
      String there, String ready, int seconds, String steps, boolean looksAgain) {
    Pod pod = pod("Always", List.of("+s", "+t"), List.of("a", "b"));
    withPreStop(pod.getSpec().getInitContainers().getFirst());
    withPreStop(pod.getSpec().getInitContainers().getLast());
    withPreStop(pod.getSpec().getContainers().getFirst());
    Map<String, StoppingContainer> stopping = new HashMap<>();
    if (seconds > 0) {
      List.of("s", "t", "a")
          .forEach(
              name ->
                  stopping.put(
                      name + "-0", new StoppingContainer(GRACE, NOW, words(ready).contains(name))));
    }

    PodPlan plan =
        PodPlan.compute(
            pod, REMOVE, observed("ready", there), stopping(stopping), NOW.plusSeconds(seconds));

    assertThat(text(plan)).isEqualTo(steps);
    assertThat(plan.lookAgain()).isEqualTo(looksAgain ? NOW.plusSeconds(7) : null);
  }

  @ParameterizedTest(name = "{0} s after it was shortened: {1}")
  @CsvSource({"0, PreStop(a)", "1, PreStop(a)", "2, StopContainer(a)"})
  void aShorterGraceEndsAHookThatIsUnderWay(int seconds, String steps) {
    Pod pod = pod("Always", List.of(), List.of("a"));
    withPreStop(pod.getSpec().getContainers().getFirst());
    GracePeriod given = new GracePeriod(Duration.ofSeconds(60), NOW.minusSeconds(20));
    PlanInput memory =
        stopping(Map.of("a-0", new StoppingContainer(given, NOW.minusSeconds(20), false)));
    GracePeriod shorter = new GracePeriod(Duration.ofSeconds(1), NOW);

    PodPlan plan =
        PodPlan.compute(
            pod,
            new DesiredState.Stop(shorter, true, "Stopping container"),
            observed("ready", "a=running"),
            memory,
            NOW.plusSeconds(seconds));

    assertThat(text(plan)).isEqualTo(steps);
  }

  @Test
  void aHookForWhichItIsTooLateGetsTheLeastTime() {
    Pod pod = pod("Always", List.of(), List.of("a"));
    withPreStop(pod.getSpec().getContainers().getFirst());
    Instant late = NOW.plusSeconds(60);
    ObservedPod observed = observed("ready", "a=running");
    PlanInput begun = stopping(Map.of("a-0", new StoppingContainer(GRACE, late, false)));

    assertThat(text(PodPlan.compute(pod, REMOVE, observed, PlanInput.NONE, late)))
        .isEqualTo("PreStop(a)");
    assertThat(text(PodPlan.compute(pod, REMOVE, observed, begun, late.plusSeconds(1))))
        .isEqualTo("PreStop(a)");
    assertThat(text(PodPlan.compute(pod, REMOVE, observed, begun, late.plusSeconds(2))))
        .isEqualTo("StopContainer(a)");
  }

  @Test
  void aContainerWhoseHookHasRunIsStoppedInTheTimeThatIsLeft() {
    Pod pod = pod("Always", List.of(), List.of("a"));
    withPreStop(pod.getSpec().getContainers().getFirst());
    PlanInput memory = stopping(Map.of("a-0", new StoppingContainer(GRACE, NOW, true)));

    PodPlan plan =
        PodPlan.compute(pod, RUN, observed("ready", "a=running"), memory, NOW.plusSeconds(3));

    assertThat(plan.steps())
        .as("though it is alive again; its end was told with the hook")
        .containsExactly(new PodStep.StopContainer("a-0", "a", GRACE, ""));
  }

  private static void withPreStop(Container container) {
    container.setLifecycle(
        new LifecycleBuilder().withNewPreStop().withNewSleep(50L).endPreStop().build());
  }

  private static PlanInput stopping(Map<String, StoppingContainer> containers) {
    return new PlanInput(
        Set.of(),
        Map.of(),
        Map.of(),
        Set.of(),
        Map.of(),
        ResizedResources.NONE,
        ALL,
        containers,
        Map.of());
  }

  @Test
  void aPodThatEndedKeepsWhatIsLeftForItsLogs() {
    PodPlan plan =
        PodPlan.compute(
            pod("Never", List.of(), List.of("a")),
            KEEP,
            observed("dead", "a=0"),
            PlanInput.NONE,
            NOW);

    assertThat(text(plan)).isEqualTo("done");
  }
}
