package dev.berth.agent.pods.plan;

import static dev.berth.agent.pods.plan.PlanWords.NOW;
import static dev.berth.agent.pods.plan.PlanWords.RUN;
import static dev.berth.agent.pods.plan.PlanWords.container;
import static dev.berth.agent.pods.plan.PlanWords.observed;
import static dev.berth.agent.pods.plan.PlanWords.pod;
import static dev.berth.agent.pods.plan.PlanWords.pulled;
import static dev.berth.agent.pods.plan.PlanWords.sandbox;
import static dev.berth.agent.pods.plan.PlanWords.unremovable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.observed.ObservedPod;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Starts that somebody called off, or whose agent went away meanwhile.
final class CutStartsTest {
  @Test
  void whatARuntimeCannotRemoveDoesNotKeepItsSuccessorFromStarting() {
    Pod pod = pod("Never", List.of(), List.of("a"));
    ObservedPod cut = observed("ready", "a=cut");
    PlanInput refused = unremovable(Set.of("a"), "a-0", NOW);

    PodPlan soon = PodPlan.compute(pod, RUN, cut, refused, NOW.plusSeconds(4));
    assertThat(soon.steps()).containsExactly(new PodStep.RemoveContainer("a-0"));
    assertThat(soon.lookAgain()).isEqualTo(NOW.plusSeconds(5));

    PodPlan later = PodPlan.compute(pod, RUN, cut, refused, NOW.plusSeconds(5));
    assertThat(later.steps())
        .containsExactly(
            new PodStep.StartContainer("a", 1, "s0", null), new PodStep.RemoveContainer("a-0"));
  }

  /// The agent that cut it may have been away for long.
  @Test
  void whatNobodyTriedToRemoveYetIsRemovedBeforeItsSuccessorStarts() {
    assertThat(plan("Never", "a=cut", NOW.plusSeconds(600)).steps())
        .containsExactly(new PodStep.RemoveContainer("a-0"));
  }

  @Test
  void aContainerThatWasCreatedIsStartedAndNotMadeAgain() {
    assertThat(plan("Always", "a=new", NOW).steps())
        .containsExactly(new PodStep.StartContainer("a", 0, "s0", "a-0"));
  }

  private static PodPlan plan(String policy, String there, Instant now) {
    Pod pod = pod(policy, List.of(), List.of("a"));
    return PodPlan.compute(pod, RUN, observed("ready", there), pulled(Set.of("a")), now);
  }

  @Test
  void aStartThatWasCutShortIsNotCounted() {
    Pod pod = pod("Always", List.of(), List.of("a"));
    PlanInput memory = pulled(Set.of("a"));
    ObservedPod cut =
        new ObservedPod(
            List.of(sandbox(true)), List.of(container("a", 1, "cut"), container("a", 0, "1")));
    ObservedPod cleared = new ObservedPod(List.of(sandbox(true)), List.of(container("a", 0, "1")));

    assertThat(PodPlan.compute(pod, RUN, cut, memory, NOW).steps())
        .containsExactly(new PodStep.RemoveContainer("a-1"));
    assertThat(PodPlan.compute(pod, RUN, cleared, memory, NOW).steps())
        .containsExactly(new PodStep.StartContainer("a", 1, "s0", null));
  }
}
