package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.act.StepContext;
import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.act.StepRunner;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.pods.plan.StepKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the steps of one pod, each on a thread of its own, so that a long pull or stop never blocks
/// the worker. Confined to the worker's thread.
final class StepThreads {
  private static final Logger log = LoggerFactory.getLogger(StepThreads.class);

  private record Running(PodStep step, Thread thread) {}

  private final String pod;
  private final StepRunner runner;
  private final PodMetrics metrics;
  private final StartTimes times;
  private final BiConsumer<PodStep, StepOutcome> ended;
  private final Map<StepKey, Running> running = new HashMap<>();

  /// @param ended called on the step's thread when the step has ended
  StepThreads(
      String pod,
      WorkerDependencies dependencies,
      StartTimes times,
      BiConsumer<PodStep, StepOutcome> ended) {
    this.pod = pod;
    this.runner = dependencies.actions().runner();
    this.metrics = dependencies.outputs().metrics();
    this.times = times;
    this.ended = ended;
  }

  Set<StepKey> busy() {
    return Set.copyOf(running.keySet());
  }

  boolean isStarting(String container) {
    return running.containsKey(StepKey.start(container));
  }

  boolean isIdle() {
    return running.isEmpty();
  }

  /// Starts the step.
  ///
  /// @return false when a step of the same key is still in progress
  boolean begin(PodStep step, StepContext stepContext) {
    if (running.containsKey(step.key())) {
      return false;
    }
    log.debug("step begun pod={} step={}", pod, step);
    Thread thread =
        Thread.ofVirtual()
            .name("pod-step-" + pod + "-" + step.key())
            .unstarted(() -> ended.accept(step, run(step, stepContext)));
    running.put(step.key(), new Running(step, thread));
    thread.start();
    return true;
  }

  private StepOutcome run(PodStep step, StepContext stepContext) {
    times.pull(step, true);
    StepOutcome outcome = runner.run(step, stepContext);
    times.pull(step, false);
    metrics.ended(step, stepContext.containerType(step), outcome);
    return outcome;
  }

  /// The worker calls this once it has handled the end of the step.
  void done(PodStep step) {
    running.remove(step.key());
  }

  /// Interrupts cancellable steps that the plan no longer has.
  void cancelOthers(List<PodStep> wanted) {
    Set<StepKey> keys = wanted.stream().map(PodStep::key).collect(Collectors.toSet());
    running.values().stream()
        .filter(one -> one.step().isCancellable() && !keys.contains(one.step().key()))
        .forEach(one -> one.thread().interrupt());
  }

  void cancelAll() {
    running.values().forEach(one -> one.thread().interrupt());
  }
}
