package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.act.StepContext;
import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved;
import dev.berth.agent.pods.config.ResourceAllocation;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.DesiredState;
import dev.berth.agent.pods.plan.PlanInput;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.PodPlan;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.pods.plan.RestartCounts;
import dev.berth.agent.pods.status.StatusFacts;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pods.status.StatusFacts.Where;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.agent.timing.WakeTimer;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One reconciliation after the other of one pod: observes its runtime service, computes a plan,
/// starts the plan's steps and publishes the status.
///
/// Confined to the worker's thread, except for the fields that say otherwise.
final class PodSync {
  /// The status shows `ErrImagePull` for this long before `ImagePullBackOff`: both reasons are
  /// upstream's, and users look for the first one.
  private static final Duration PULL_SHOWN = Duration.ofSeconds(1);

  /// A resize that did not fit is tried again after this time, beside the wake-ups by pods that
  /// end.
  private static final Duration RESIZE_AGAIN = Duration.ofSeconds(10);

  private final WorkerDependencies dependencies;
  private final PodWorkers others;
  private final WorkerInbox inbox;
  private final StatusWriter writer;
  private final StepThreads steps;
  private final DesiredStates desiredStates = new DesiredStates();
  private final ServiceWait waiting = new ServiceWait();
  private final PodWorkerState workerState = new PodWorkerState();
  private final PodStatusBuilder statusBuilder;
  private final PodProbes probes;
  private final PodEnding ending;
  private final WakeTimer alarm;

  /// The pod and whether the API has deleted it, as of the newest mail.
  private Pod pod;

  private boolean gone;
  private boolean ended;
  private boolean finished;
  private @Nullable PodFailure podFailure;

  /// Written by the worker, read by anybody.
  private volatile boolean stopped;

  /// Written by the worker, read by anybody.
  private volatile ResourceAllocation allocation;

  PodSync(
      Pod pod,
      WorkerDependencies dependencies,
      PodWorkers others,
      WorkerInbox inbox,
      StatusWriter writer) {
    this.pod = pod;
    this.allocation = new ResourceAllocation(pod, "");
    this.others = others;
    this.dependencies = dependencies;
    this.inbox = inbox;
    this.writer = writer;
    StartTimes times = new StartTimes(dependencies.timing().clock());
    this.steps =
        new StepThreads(
            PodWorker.name(pod),
            dependencies,
            times,
            (step, outcome) -> inbox.post(() -> stepEnded(step, outcome)));
    this.statusBuilder = new PodStatusBuilder(dependencies, times);
    this.probes =
        new PodProbes(
            dependencies.inputs().node(),
            dependencies.actions().probes(),
            dependencies.outputs().events(),
            inbox::wake);
    this.alarm =
        new WakeTimer(dependencies.timing().delays(), dependencies.timing().clock(), inbox::wake);
    this.ending = new PodEnding(dependencies, writer, inbox);
  }

  /// Takes in the newest mail, before its notes are handled.
  void take(Pod newest, boolean isGone) {
    pod = newest;
    gone = isGone;
  }

  void sync() {
    if (ending.isCleaned()) {
      finished = ending.advance(pod, gone);
      return;
    }
    Instant now = dependencies.timing().clock().instant();
    allot(now);
    DesiredState desired =
        desiredStates.of(pod, gone, ended || podFailure != null, podFailure, now);
    Resolved resolved =
        desired instanceof DesiredState.Run
            ? dependencies.actions().resolver().bind(pod, others)
            : dependencies.actions().resolver().find(pod);
    switch (resolved) {
      case Resolved.At(var service, var handler) -> {
        ServiceObserver observer = dependencies.inputs().observers().of(service);
        Optional<ObservedPod> observed =
            observer == null ? Optional.empty() : observer.view().look(uid());
        if (observer != null && observed.isPresent()) {
          act(
              desired,
              new StepContext(
                  allocation.pod(),
                  service,
                  handler,
                  observer,
                  observed.get(),
                  workerState.images()));
        }
      }
      case Resolved.Absent() -> settle(desired);
      case Resolved.Later later -> {
        String words = waiting.words(later, writer.newest(), now);
        if (desired instanceof DesiredState.Run && !words.isEmpty()) {
          statusBuilder.unresolved(pod, words, later);
          publish(
              desired,
              ObservedPod.NOTHING,
              Map.of(),
              Where.nowhere(dependencies.inputs().node().addresses(), words));
        }
        alarm.set(ServiceWait.lookAgain(later, now));
      }
      case Resolved.Failed(var why) -> reject(why, now);
    }
  }

  /// Fails the pod, or delays that when its controller has had too many failures in a row.
  private void reject(PodFailure why, Instant now) {
    Optional<Instant> delayed = dependencies.actions().rejections().delayed(pod, now);
    if (delayed.isPresent()) {
      alarm.set(delayed.get());
      return;
    }
    statusBuilder.failed(pod, why);
    podFailure = why;
    settle(desiredStates.of(pod, gone, true, podFailure, now));
  }

  /// A resize that does not fit now is tried again: other pods may end.
  private void allot(Instant now) {
    JsonNode lastStatus = writer.newest();
    if (ResourceAllocation.asks(pod, lastStatus)) {
      dependencies.actions().resolver().allot(pod, lastStatus, others, given -> allocation = given);
    } else {
      allocation = new ResourceAllocation(pod, "");
    }
    if (!allocation.refusal().isEmpty()) {
      alarm.set(now.plus(RESIZE_AGAIN));
    }
  }

  /// Computes the plan and starts its steps.
  private void act(DesiredState desired, StepContext stepContext) {
    Instant now = dependencies.timing().clock().instant();
    Map<PodPart, ContainerWaiting> starting = PodStatusBuilder.starting(stepContext.pod(), steps);
    Map<String, Verdict> verdicts = probes.update(stepContext, desired, starting.keySet());
    RestartCounts restartCounts = RestartCounts.after(writer.newest());
    PlanInput memory = workerState.memory(steps.busy(), verdicts, restartCounts);
    PodPlan plan = PodPlan.compute(allocation.pod(), desired, stepContext.observed(), memory, now);
    begin(plan, desired, stepContext, now);
    if (plan.lookAgain() != null) {
      alarm.set(plan.lookAgain());
    }
    Map<PodPart, ContainerWaiting> waitingParts = waitingParts(plan, desired, stepContext);
    publish(
        desired,
        stepContext.observed(),
        waitingParts,
        statusBuilder.where(stepContext, writer.newest()));
    Instant deadline = DesiredStates.deadline(pod, writer.newest());
    if (deadline != null) {
      checkDeadline(deadline, now);
    }
    if (plan.isDone() && desired instanceof DesiredState.Run) {
      ended = true;
      inbox.wake();
    } else if (plan.isDone()) {
      end(desired);
    }
  }

  private void begin(PodPlan plan, DesiredState desired, StepContext stepContext, Instant now) {
    if (desired instanceof DesiredState.Stop) {
      // A start step lasts until the postStart hook ends, although the container already runs.
      steps.cancelOthers(plan.steps());
    }
    for (PodStep step : plan.steps()) {
      Optional<Instant> heldBack = workerState.heldBack(step, now);
      heldBack.ifPresent(alarm::set);
      if (heldBack.isEmpty() && steps.begin(step, stepContext)) {
        workerState.begun(step, stepContext.observed(), now);
      }
    }
    stepContext
        .observer()
        .expect(uid(), DesiredStates.changesByItself(pod, desired, stepContext.observed()));
  }

  private Map<PodPart, ContainerWaiting> waitingParts(
      PodPlan plan, DesiredState desired, StepContext stepContext) {
    Map<PodPart, ContainerWaiting> waitingParts = new HashMap<>(workerState.waitingParts());
    waitingParts.putAll(plan.waiting());
    // Computed again: the steps begun before may be starts.
    waitingParts.putAll(PodStatusBuilder.starting(pod, steps));
    if (desired instanceof DesiredState.Stop) {
      workerState
          .endBlocked(stepContext.service().name())
          .ifPresent(
              blocked -> {
                statusBuilder.endBlocked(pod, blocked);
                waitingParts.put(PodPart.SANDBOX, blocked);
              });
    }
    return waitingParts;
  }

  private void checkDeadline(Instant deadline, Instant now) {
    if (podFailure == null && !ended && !deadline.isAfter(now)) {
      podFailure = DesiredStates.DEADLINE_EXCEEDED;
      if (!PodPhase.isFinished(writer.newest().path("phase").asText())) {
        statusBuilder.exceeded(pod, podFailure);
      }
      inbox.wake();
    } else if (podFailure == null) {
      alarm.set(deadline);
    }
  }

  /// Publishes the status of a pod that no runtime service has, and goes on with its end.
  private void settle(DesiredState desired) {
    publish(
        desired,
        ObservedPod.NOTHING,
        Map.of(),
        Where.nowhere(dependencies.inputs().node().addresses(), ""));
    end(desired);
  }

  private void end(DesiredState desired) {
    stopped = desired instanceof DesiredState.Stop;
    if (desired instanceof DesiredState.Stop stop && stop.remove() && steps.isIdle()) {
      finished = ending.advance(pod, gone);
    } else if (desired instanceof DesiredState.Stop && steps.isIdle()) {
      ending.freeVolumes(pod);
    }
  }

  private void publish(
      DesiredState desired,
      ObservedPod observed,
      Map<PodPart, ContainerWaiting> waitingParts,
      Where where) {
    if (gone) {
      return;
    }
    ObjectNode status =
        statusBuilder.status(
            new PodStatusBuilder.Situation(
                pod,
                writer.newest(),
                observed,
                waitingParts,
                probes.verdicts(),
                podFailure,
                desired instanceof DesiredState.Stop,
                where,
                new StatusFacts.Allotted(
                    allocation.pod(), allocation.refusal(), workerState.resized())));
    writer.publish(status);
  }

  private void stepEnded(PodStep step, StepOutcome outcome) {
    steps.done(step);
    workerState.ended(step, outcome, dependencies.timing().clock().instant());
    if (outcome instanceof StepOutcome.Failed(PodPart.OneContainer(var container), _, _, var cause)
        && cause.isImage()) {
      String image = PodStatusBuilder.image(pod, container);
      dependencies
          .timing()
          .delays()
          .after(PULL_SHOWN, () -> inbox.post(() -> workerState.backOff(container, image)));
    }
  }

  private String uid() {
    return pod.getMetadata().getUid();
  }

  /// Fails the pod unless it ends already.
  void evict(PodFailure why) {
    if (podFailure == null && !ended && !gone) {
      statusBuilder.failed(pod, why);
      podFailure = why;
    }
  }

  /// Reconciles again at that time at the latest.
  void lookAgainAt(Instant time) {
    alarm.set(time);
  }

  boolean hasFailed() {
    return podFailure != null;
  }

  /// Whether the pod is completely removed.
  boolean isFinished() {
    return finished;
  }

  /// Whether the pod has stopped for good.
  boolean hasStopped() {
    return stopped;
  }

  /// The pod with what is allocated to it; not what it asks for while that does not fit.
  ResourceAllocation allocation() {
    return allocation;
  }

  /// Ends what the steps and probes do; containers keep running.
  void cancel() {
    steps.cancelAll();
    probes.stop();
  }
}
