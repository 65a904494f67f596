package dev.berth.agent.pods.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedContainer.State;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.probes.Probes.Verdict;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import io.fabric8.kubernetes.api.model.LifecycleBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rows: what is wanted, what is there, and the steps between them.
///
/// Containers are written `name=state`, a state being `new`, `running`, `cut` when its start was,
/// `lost` when that is long ago and it is there still, `void` when its sandbox is none, or the code
/// it exited with.
final class PodPlanTest {
  private static final String NO_SANDBOX =
      "unable to create new parent process: namespace path: lstat /proc/0/ns/ipc:"
          + " no such file or directory: unknown";

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Successors ALL = Successors.OF_ALL;
  private static final Wish RUN = new Wish.Run();
  private static final Grace GRACE = new Grace(Duration.ofSeconds(7), NOW);
  private static final Wish REMOVE = new Wish.Stop(GRACE, true, "Stopping container");
  private static final Wish KEEP = new Wish.Stop(GRACE, false, "Stopping container");

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
        "Never, -, a, ready, a=lost, 'PullImage(a) RemoveContainer(a-0)'",
        "Never, -, a, ready, a=void, 'StopSandbox(s0) PullImage(a)'",
        "Never, -, a, dead, a=void, 'RunSandbox PullImage(a) RemoveContainer(a-0)'",
        "Never, i, a, ready, i=void, 'StopSandbox(s0) PullImage(i)'",
        "Never, i, a, ready, i=cut, RemoveContainer(i-0)",
        "Never, i, a, ready, i=lost, 'PullImage(i) RemoveContainer(i-0)'",
        "Never, +s, a, ready, s=cut, RemoveContainer(s-0)",
        "Never, -, a, dead, a=cut, 'RunSandbox PullImage(a) RemoveContainer(a-0)'",
      })
  void runs(String policy, String init, String main, String sandbox, String there, String steps) {
    Pod pod = pod(policy, words(init), words(main));

    PodPlan plan = PodPlan.compute(pod, RUN, observed(sandbox, there), Memory.NONE, NOW);

    assertThat(text(plan)).isEqualTo(steps == null ? "" : steps);
  }

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

    PodPlan plan = PodPlan.compute(pod, REMOVE, observed(sandbox, there), Memory.NONE, NOW);

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
    Map<String, Stopping> stopping = new HashMap<>();
    if (seconds > 0) {
      List.of("s", "t", "a")
          .forEach(
              name ->
                  stopping.put(name + "-0", new Stopping(GRACE, NOW, words(ready).contains(name))));
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
    Grace given = new Grace(Duration.ofSeconds(60), NOW.minusSeconds(20));
    Memory memory = stopping(Map.of("a-0", new Stopping(given, NOW.minusSeconds(20), false)));
    Grace shorter = new Grace(Duration.ofSeconds(1), NOW);

    PodPlan plan =
        PodPlan.compute(
            pod,
            new Wish.Stop(shorter, true, "Stopping container"),
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
    Memory begun = stopping(Map.of("a-0", new Stopping(GRACE, late, false)));

    assertThat(text(PodPlan.compute(pod, REMOVE, observed, Memory.NONE, late)))
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
    Memory memory = stopping(Map.of("a-0", new Stopping(GRACE, NOW, true)));

    PodPlan plan =
        PodPlan.compute(pod, RUN, observed("ready", "a=running"), memory, NOW.plusSeconds(3));

    assertThat(plan.steps())
        .as("though it is alive again; its end was told with the hook")
        .containsExactly(new Step.StopContainer("a-0", "a", GRACE, ""));
  }

  private static void withPreStop(Container container) {
    container.setLifecycle(
        new LifecycleBuilder().withNewPreStop().withNewSleep(50L).endPreStop().build());
  }

  private static Memory stopping(Map<String, Stopping> containers) {
    return new Memory(Set.of(), Map.of(), Map.of(), Set.of(), Map.of(), Map.of(), ALL, containers);
  }

  @Test
  void aPodThatEndedKeepsWhatIsLeftForItsLogs() {
    PodPlan plan =
        PodPlan.compute(
            pod("Never", List.of(), List.of("a")), KEEP, observed("dead", "a=0"), Memory.NONE, NOW);

    assertThat(text(plan)).isEqualTo("done");
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
                    pod, RUN, observed("ready", "a=running"), busy(both, "start a"), NOW)))
        .as("its postStart hook still runs")
        .isEmpty();
    assertThat(text(PodPlan.compute(pod, RUN, observed("ready", "a=running"), pulled(both), NOW)))
        .isEqualTo("StartContainer(b)");
  }

  @Test
  void aContainerInTroubleHoldsNobodyUp() {
    Trouble trouble =
        new Trouble("ErrImagePull", "", NOW.plusSeconds(40)).lookingAt(NOW.plusSeconds(10));
    Memory memory =
        new Memory(
            Set.of(),
            Map.of("a", trouble),
            Map.of(),
            Set.of("b"),
            Map.of(),
            Map.of(),
            ALL,
            Map.of());
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
    Crash crash = new Crash(Duration.ofSeconds(20), NOW.minusSeconds(60));
    Memory memory =
        new Memory(
            Set.of(), Map.of(), Map.of("a", crash), Set.of("a"), Map.of(), Map.of(), ALL, Map.of());
    Pod pod = pod("Always", List.of(), List.of("a"));

    PodPlan plan = PodPlan.compute(pod, RUN, observed("ready", "a=1"), memory, NOW);

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.waiting().get("a"))
        .isEqualTo(
            new Trouble(
                "CrashLoopBackOff",
                "back-off 20s restarting failed container=a pod=web_default(uid-1)",
                NOW.plusSeconds(19)));
    assertThat(
            text(PodPlan.compute(pod, RUN, observed("ready", "a=1"), memory, NOW.plusSeconds(19))))
        .isEqualTo("StartContainer(a)");
  }

  @ParameterizedTest(name = "policy {0}, ended with {1}")
  @CsvSource({"Always, 0", "OnFailure, 0", "OnFailure, 143", "Never, 0", "Never, 143"})
  void aContainerWhoseDefinitionChangedIsRestartedWhateverThePolicy(String policy, String code) {
    Pod pod = pod(policy, List.of(), List.of("a"));
    Crash crash = new Crash(Duration.ofMinutes(5), NOW.minusSeconds(60));
    Memory memory =
        new Memory(
            Set.of(), Map.of(), Map.of("a", crash), Set.of("a"), Map.of(), Map.of(), ALL, Map.of());

    PodPlan plan = PodPlan.compute(pod, RUN, changed(container("a", 0, code)), memory, NOW);

    assertThat(plan.steps())
        .as("at once: it was the other definition that kept ending")
        .containsExactly(new Step.StartContainer("a", 1, "s0", null));
  }

  @Test
  void whatARuntimeCannotRemoveDoesNotKeepItsSuccessorFromStarting() {
    Pod pod = pod("Never", List.of(), List.of("a"));
    Memory memory = pulled(Set.of("a"));

    PodPlan soon = PodPlan.compute(pod, RUN, observed("ready", "a=cut"), memory, NOW);
    assertThat(soon.steps()).containsExactly(new Step.RemoveContainer("a-0"));
    assertThat(soon.lookAgain()).isEqualTo(NOW.plusSeconds(4));

    PodPlan later = PodPlan.compute(pod, RUN, observed("ready", "a=lost"), memory, NOW);
    assertThat(later.steps())
        .containsExactly(
            new Step.StartContainer("a", 1, "s0", null), new Step.RemoveContainer("a-0"));
  }

  @Test
  void whatWasToldAsEndedStaysSoThoughItsDefinitionChanges() throws Exception {
    Pod pod = pod("Never", List.of(), List.of("a"));
    Successors none =
        Successors.after(
            new ObjectMapper()
                .readTree(
                    """
                    {"containerStatuses": [{"name": "a",
                      "state": {"terminated": {"containerID": "containerd://a-0"}}}]}"""));
    Memory memory =
        new Memory(Set.of(), Map.of(), Map.of(), Set.of(), Map.of(), Map.of(), none, Map.of());

    PodPlan plan = PodPlan.compute(pod, RUN, changed(container("a", 0, "0")), memory, NOW);

    assertThat(text(plan)).isEqualTo("done");
  }

  @Test
  void restartsAreCountedOnThoughSomebodyRemovedTheContainers() throws Exception {
    Successors told =
        Successors.after(
            new ObjectMapper()
                .readTree(
                    """
                    {"containerStatuses": [
                      {"name": "a", "restartCount": 4, "containerID": "containerd://a-4"},
                      {"name": "b", "restartCount": 0}]}"""));
    Memory memory =
        new Memory(
            Set.of(), Map.of(), Map.of(), Set.of("a", "b"), Map.of(), Map.of(), told, Map.of());

    PodPlan plan =
        PodPlan.compute(
            pod("Always", List.of(), List.of("a", "b")), RUN, observed("ready", null), memory, NOW);

    assertThat(plan.steps()).containsExactly(new Step.StartContainer("a", 5, "s0", null));
    assertThat(told.numberAfterNone("b")).as("never ran").isZero();
  }

  @Test
  void anInitContainerWhoseDefinitionChangedGoesOn() {
    Pod pod = pod("Never", List.of("i"), List.of("a"));

    PodPlan plan =
        PodPlan.compute(pod, RUN, changed(container("i", 0, "running")), Memory.NONE, NOW);

    assertThat(text(plan)).isEmpty();
  }

  @Test
  void aContainerThatIsNotAliveIsStopped() {
    Memory memory =
        new Memory(
            Set.of(),
            Map.of(),
            Map.of(),
            Set.of(),
            Map.of("a-0", new Verdict(true, false, false)),
            Map.of(),
            ALL,
            Map.of());

    PodPlan plan =
        PodPlan.compute(
            pod("Always", List.of(), List.of("a")),
            RUN,
            observed("ready", "a=running"),
            memory,
            NOW);

    assertThat(plan.steps())
        .containsExactly(
            new Step.StopContainer(
                "a-0",
                "a",
                new Grace(Duration.ofSeconds(30), NOW),
                "Container a failed liveness probe, will be restarted"));
  }

  @Test
  void aProbeMaySayHowLongItsContainerGets() {
    Memory memory =
        new Memory(
            Set.of(),
            Map.of(),
            Map.of(),
            Set.of(),
            Map.of("a-0", new Verdict(false, false, false)),
            Map.of(),
            ALL,
            Map.of());
    Pod pod = pod("Never", List.of(), List.of("a"));
    Probe probe = new ProbeBuilder().withTerminationGracePeriodSeconds(5L).build();
    pod.getSpec().getContainers().getFirst().setStartupProbe(probe);

    PodPlan plan = PodPlan.compute(pod, RUN, observed("ready", "a=running"), memory, NOW);

    assertThat(plan.steps())
        .containsExactly(
            new Step.StopContainer(
                "a-0",
                "a",
                new Grace(Duration.ofSeconds(5), NOW),
                "Container a failed startup probe"));
  }

  @Test
  void aDebuggingContainerWaitsForNoOther() {
    Pod pod = pod("Always", List.of("i"), List.of("a"));
    pod.getSpec()
        .setEphemeralContainers(List.of(new EphemeralContainerBuilder().withName("debug").build()));

    assertThat(text(PodPlan.compute(pod, RUN, observed("ready", "i=running"), Memory.NONE, NOW)))
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
    Memory memory =
        new Memory(
            Set.of(),
            Map.of(),
            Map.of(),
            Set.of("a"),
            Map.of("s-0", new Verdict(false, false, true)),
            Map.of(),
            ALL,
            Map.of());

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
  void aContainerThatWasCreatedIsStartedAndNotMadeAgain() {
    PodPlan plan =
        PodPlan.compute(
            pod("Always", List.of(), List.of("a")),
            RUN,
            observed("ready", "a=new"),
            pulled(Set.of("a")),
            NOW);

    assertThat(plan.steps()).containsExactly(new Step.StartContainer("a", 0, "s0", "a-0"));
  }

  @Test
  void aStartThatWasCutShortIsNotCounted() {
    Pod pod = pod("Always", List.of(), List.of("a"));
    Memory memory = pulled(Set.of("a"));
    ObservedPod cut =
        new ObservedPod(
            List.of(sandbox(true)), List.of(container("a", 1, "cut"), container("a", 0, "1")));
    ObservedPod cleared = new ObservedPod(List.of(sandbox(true)), List.of(container("a", 0, "1")));

    assertThat(PodPlan.compute(pod, RUN, cut, memory, NOW).steps())
        .containsExactly(new Step.RemoveContainer("a-1"));
    assertThat(PodPlan.compute(pod, RUN, cleared, memory, NOW).steps())
        .containsExactly(new Step.StartContainer("a", 1, "s0", null));
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
        PodPlan.compute(pod("Always", List.of(), List.of("a")), RUN, observed, Memory.NONE, NOW);

    assertThat(plan.steps())
        .containsExactly(new Step.RemoveContainer("a-1"), new Step.RemoveContainer("a-0"));
  }

  @ParameterizedTest
  @CsvSource({"-, 0, 10", "10, 5, 20", "20, 5, 40", "160, 5, 300", "300, 5, 300", "300, 700, 10"})
  void theBackOffDoublesUntilTheContainerRunsLong(String before, int ranSeconds, int after) {
    Instant ended = NOW.plusSeconds(ranSeconds);
    Crash crash =
        before.equals("-") ? null : new Crash(Duration.ofSeconds(Long.parseLong(before)), NOW);

    assertThat(Crash.next(crash, ended, ended).backoff()).isEqualTo(Duration.ofSeconds(after));
  }

  private static Memory pulled(Set<String> containers) {
    return new Memory(Set.of(), Map.of(), Map.of(), containers, Map.of(), Map.of(), ALL, Map.of());
  }

  private static Memory busy(Set<String> pulled, String key) {
    return new Memory(Set.of(key), Map.of(), Map.of(), pulled, Map.of(), Map.of(), ALL, Map.of());
  }

  /// A name that begins with `+` is that of a sidecar.
  private static Pod pod(String policy, List<String> init, List<String> main) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("web")
        .withNamespace("default")
        .withUid("uid-1")
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy(policy)
        .withInitContainers(
            init.stream()
                .map(
                    name ->
                        new ContainerBuilder()
                            .withName(name.replace("+", ""))
                            .withRestartPolicy(name.startsWith("+") ? "Always" : null)
                            .build())
                .toList())
        .withContainers(
            main.stream().map(name -> new ContainerBuilder().withName(name).build()).toList())
        .endSpec()
        .build();
  }

  private static ObservedPod observed(
      @org.jspecify.annotations.Nullable String sandbox,
      @org.jspecify.annotations.Nullable String there) {
    List<ObservedContainer> containers = new ArrayList<>();
    for (String word : words(there)) {
      String[] parts = word.split("=", -1);
      containers.add(container(parts[0], 0, parts[1]));
    }
    return new ObservedPod(
        sandbox == null ? List.of() : List.of(sandbox(sandbox.equals("ready"))), containers);
  }

  private static ObservedSandbox sandbox(boolean ready) {
    return new ObservedSandbox("s0", 0, ready, NOW, "", List.of("10.0.0.1"), Map.of());
  }

  private static ObservedContainer container(String name, int attempt, String state) {
    boolean exited = Character.isDigit(state.charAt(0));
    State is =
        switch (state) {
          case "new" -> State.CREATED;
          case "running" -> State.RUNNING;
          case "cut", "lost", "void" -> State.CANCELLED;
          default -> State.EXITED;
        };
    return new ObservedContainer(
        name + "-" + attempt,
        "s0",
        name,
        attempt,
        is,
        "image",
        "sha256:1",
        NOW.minusSeconds(60 - attempt),
        is == State.CREATED ? null : NOW.minusSeconds(50),
        finished(state),
        exited ? Integer.parseInt(state) : 0,
        "",
        state.equals("void") ? NO_SANDBOX : "",
        "",
        new HashMap<>());
  }

  private static @org.jspecify.annotations.Nullable Instant finished(String state) {
    return switch (state) {
      case "new", "running" -> null;
      case "lost" -> NOW.minusSeconds(5);
      default -> NOW.minusSeconds(1);
    };
  }

  /// Made by another definition.
  private static ObservedPod changed(ObservedContainer one) {
    ObservedContainer other =
        new ObservedContainer(
            one.id(),
            one.sandboxId(),
            one.name(),
            one.attempt(),
            one.state(),
            one.image(),
            one.imageId(),
            one.createdAt(),
            one.startedAt(),
            one.finishedAt(),
            one.exitCode(),
            one.reason(),
            one.message(),
            one.logPath(),
            Map.of(ContainerHash.ANNOTATION, "another"));
    return new ObservedPod(List.of(sandbox(true)), List.of(other));
  }

  private static List<String> words(@org.jspecify.annotations.Nullable String text) {
    return text == null ? List.of() : Arrays.asList(text.split(" "));
  }

  private static String text(PodPlan plan) {
    if (plan.isDone()) {
      return "done";
    }
    return plan.steps().stream()
        .map(
            step ->
                switch (step) {
                  case Step.RunSandbox _ -> "RunSandbox";
                  case Step.StopSandbox(var id) -> "StopSandbox(" + id + ")";
                  case Step.RemoveSandbox(var id) -> "RemoveSandbox(" + id + ")";
                  case Step.PullImage(var name) -> "PullImage(" + name + ")";
                  case Step.FindImage(var name) -> "FindImage(" + name + ")";
                  case Step.StartContainer one -> "StartContainer(" + one.container() + ")";
                  case Step.PreStop one -> "PreStop(" + one.container() + ")";
                  case Step.StopContainer one -> "StopContainer(" + one.container() + ")";
                  case Step.RemoveContainer(var id) -> "RemoveContainer(" + id + ")";
                  case Step.ResizeContainer one -> "ResizeContainer(" + one.container() + ")";
                  case Step.ResizePod _ -> "ResizePod";
                })
        .collect(Collectors.joining(" "));
  }
}
