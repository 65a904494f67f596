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
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusFacts;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pods.status.StatusFacts.Where;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.agent.pods.worker.WorkerInbox.Mail;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.agent.timing.WakeTimer;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reconciles one pod: observes its runtime service, computes a plan, starts the plan's steps and
/// publishes the status; then waits for the next signal.
///
/// One virtual thread; fields without a comment are confined to it. The worker never waits for a
/// runtime service or the API server.
public final class PodWorker {
  private static final Logger log = LoggerFactory.getLogger(PodWorker.class);
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final Duration PULL_SHOWN = Duration.ofSeconds(1);
  private static final Duration RESIZE_AGAIN = Duration.ofSeconds(10);

  private final WorkerDependencies dependencies;
  private final PodWorkers others;
  private final WorkerInbox inbox = new WorkerInbox();
  private final Runnable over;
  private final StatusWriter writer;
  private final StepThreads steps;
  private final DesiredStates desiredStates = new DesiredStates();
  private final ServiceWait waiting = new ServiceWait();
  private final PodWorkerState workerState = new PodWorkerState();
  private final PodStatusBuilder statusBuilder;
  private final PodProbes probes;
  private final PodEnding ending;
  private final WakeTimer alarm;
  private final Thread thread;
  private boolean gone;
  private boolean ended;
  private boolean finished;
  private @Nullable PodFailure podFailure;

  private volatile boolean closed;

  /// Written by the worker, read by anybody.
  private volatile boolean stopped;

  /// Written by the worker, read by anybody.
  private volatile Pod pod;

  /// Written by the worker, read by anybody.
  private volatile ResourceAllocation allocation;

  /// @param others all pods of the node
  /// @param over called once, when the pod is completely removed
  PodWorker(Pod pod, WorkerDependencies dependencies, PodWorkers others, Runnable over) {
    this.pod = pod;
    this.allocation = new ResourceAllocation(pod, "");
    this.others = others;
    this.dependencies = dependencies;
    this.over = over;
    StartTimes times = new StartTimes(dependencies.timing().clock());
    String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    this.writer = dependencies.writer(pod, inbox::wake);
    this.steps =
        new StepThreads(
            name,
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
    this.thread = Thread.ofVirtual().name("pod-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
    inbox.wake();
  }

  void desire(Pod newest) {
    seen(newest);
    inbox.desire(newest);
  }

  /// Takes in the pod's status in the API.
  void seen(Pod shown) {
    writer.seen(
        PodJson.status(shown),
        Objects.requireNonNullElse(shown.getMetadata().getResourceVersion(), ""));
  }

  void gone() {
    inbox.gone();
  }

  void wake() {
    inbox.wake();
  }

  /// Another pod ended, which may free the resources that this pod waits for.
  void roomWasMade() {
    if (!allocation.refusal().isEmpty()) {
      inbox.wake();
    }
  }

  boolean isToRun() {
    return pod.getMetadata().getDeletionTimestamp() == null && !hasEnded();
  }

  /// Whether the pod's status says that the node admitted it.
  boolean isTaken() {
    return writer.newest().has("startTime");
  }

  /// Whether the pod counts against the node's capacity. Once the API has deleted a pod, the
  /// scheduler may bind another one in its place.
  boolean isPresent() {
    return !isGone() && !hasEnded();
  }

  /// Whether the API has deleted the pod.
  boolean isGone() {
    return inbox.isGone();
  }

  boolean hasEnded() {
    return PodPhase.isFinished(writer.newest().path("phase").asText());
  }

  /// Whether the pod has stopped for good.
  boolean hasStopped() {
    return stopped;
  }

  void evict(PodFailure why) {
    inbox.post(
        () -> {
          if (podFailure == null && !ended && !gone) {
            statusBuilder.failed(pod, why);
            podFailure = why;
          }
        });
  }

  void reportAgain() {
    writer.forget();
    inbox.wake();
  }

  /// The pod's newest API object.
  Pod pod() {
    return pod;
  }

  /// The pod with the resources that are allocated to it, which may differ from those it asks for.
  Pod allotted() {
    return allocation.pod();
  }

  /// The newest status, written or about to be written.
  JsonNode status() {
    return writer.newest();
  }

  /// Ends the worker; the containers keep running. The worker decides nothing after this: what it
  /// observes of a closing agent says nothing about its pod.
  void close() {
    closed = true;
    inbox.wake();
  }

  /// Waits for the thread's end. Call [#close] first.
  void awaitEnd() throws InterruptedException {
    if (!thread.join(CLOSING)) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      while (!finished) {
        Mail mail = inbox.take();
        if (closed) {
          return;
        }
        if (mail.pod() != null) {
          pod = mail.pod();
        }
        gone |= mail.gone();
        long begun = System.nanoTime();
        mail.notes().forEach(this::attempt);
        attempt(this::sync);
        dependencies.outputs().metrics().worked(operation(mail), System.nanoTime() - begun);
      }
      over.run();
    } catch (InterruptedException _) {
      // The agent closes. The next agent reconciles from what it observes.
    } finally {
      steps.cancelAll();
      probes.stop();
    }
  }

  /// The operation label of the kubelet's worker metrics.
  private String operation(Mail mail) {
    boolean ends = gone || podFailure != null || pod.getMetadata().getDeletionTimestamp() != null;
    return ends ? "kill" : mail.pod() == null ? "sync" : "update";
  }

  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      // The top of the thread: a pod whose handling fails is handled again later.
      log.error("pod not handled, retrying pod={}", pod.getMetadata().getName(), e);
      alarm.set(dependencies.timing().clock().instant().plusSeconds(10));
    }
  }

  private void sync() {
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
    if (plan.lookAgain() != null) {
      alarm.set(plan.lookAgain());
    }
    Map<PodPart, ContainerWaiting> waitingParts = new HashMap<>(workerState.waitingParts());
    waitingParts.putAll(plan.waiting());
    // Computed again: the steps begun above may be starts.
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

  private void checkDeadline(Instant deadline, Instant now) {
    if (podFailure == null && !ended && !deadline.isAfter(now)) {
      podFailure = DesiredStates.DEADLINE_EXCEEDED;
      if (!hasEnded()) {
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
}
