package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.Mailbox.Mail;
import dev.berth.agent.pods.Resolver.Resolved;
import dev.berth.agent.pods.act.Outcome;
import dev.berth.agent.pods.act.PodScene;
import dev.berth.agent.pods.config.Allocation;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.pods.plan.Memory;
import dev.berth.agent.pods.plan.PodPlan;
import dev.berth.agent.pods.plan.Step;
import dev.berth.agent.pods.plan.Successors;
import dev.berth.agent.pods.plan.Trouble;
import dev.berth.agent.pods.plan.Wish;
import dev.berth.agent.pods.status.StatusFacts;
import dev.berth.agent.pods.status.StatusFacts.Fate;
import dev.berth.agent.pods.status.StatusFacts.Where;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.agent.probes.Probes.Verdict;
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

/// Leads one pod through its life: looks at what is wanted and what is there, decides, begins what
/// is to be done, tells what there is; then waits for news.
///
/// One virtual thread; all fields without a comment are its own. It never waits for a runtime
/// service or the API server.
final class PodWorker {
  private static final Logger log = LoggerFactory.getLogger(PodWorker.class);
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final Duration PULL_SHOWN = Duration.ofSeconds(1);
  private static final Duration RESIZE_AGAIN = Duration.ofSeconds(10);

  private final PodTools tools;
  private final PodWorkers others;
  private final Mailbox mailbox = new Mailbox();
  private final Runnable over;
  private final StatusWriter writer;
  private final StepThreads steps;
  private final Wishes wishes = new Wishes();
  private final Waiting waiting = new Waiting();
  private final Recollection recollection = new Recollection();
  private final PodNarrator narrator;
  private final PodEnding ending;
  private final Alarm alarm;
  private final Thread thread;
  private boolean gone;
  private boolean ended;
  private boolean finished;
  private @Nullable Fate fate;

  private volatile boolean closed;

  /// Written by the worker, read by anybody.
  private volatile boolean stopped;

  /// Written by the worker, read by anybody.
  private volatile Pod pod;

  /// Written by the worker, read by anybody.
  private volatile Allocation allocation;

  /// @param others all pods of the node
  /// @param over called once, when nothing is left of the pod
  PodWorker(Pod pod, PodTools tools, PodWorkers others, Runnable over) {
    this.pod = pod;
    this.allocation = new Allocation(pod, "");
    this.others = others;
    this.tools = tools;
    this.over = over;
    StartTimes times = new StartTimes(tools.clock());
    String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    this.writer = tools.writer(pod, mailbox::wake);
    this.steps =
        new StepThreads(
            name, tools, times, (step, outcome) -> mailbox.post(() -> stepEnded(step, outcome)));
    this.narrator = new PodNarrator(tools, times);
    this.alarm = new Alarm(tools.delays(), tools.clock(), mailbox::wake);
    this.ending = new PodEnding(tools, writer, mailbox);
    this.thread = Thread.ofVirtual().name("pod-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
    mailbox.wake();
  }

  void desire(Pod newest) {
    seen(newest);
    mailbox.desire(newest);
  }

  /// What the API says of the pod.
  void seen(Pod shown) {
    writer.seen(
        PodTrees.status(shown),
        Objects.requireNonNullElse(shown.getMetadata().getResourceVersion(), ""));
  }

  void gone() {
    mailbox.gone();
  }

  void wake() {
    mailbox.wake();
  }

  /// Another pod is gone, which may have had what this one waits for.
  void roomWasMade() {
    if (!allocation.refusal().isEmpty()) {
      mailbox.wake();
    }
  }

  boolean isToRun() {
    return pod.getMetadata().getDeletionTimestamp() == null && !hasEnded();
  }

  /// Whether its status says that the node has taken it.
  boolean isTaken() {
    return writer.newest().has("startTime");
  }

  /// Whether it counts as one of the node's: from the moment that the API lets go of a pod, others
  /// may be bound in its place.
  boolean isPresent() {
    return !isGone() && !hasEnded();
  }

  /// Whether the API has let go of it.
  boolean isGone() {
    return mailbox.isGone();
  }

  boolean hasEnded() {
    return PodPhase.isFinished(writer.newest().path("phase").asText());
  }

  /// Whether nothing of it runs any more, and will not again.
  boolean hasStopped() {
    return stopped;
  }

  void evict(Fate why) {
    mailbox.post(
        () -> {
          if (fate == null && !ended && !gone) {
            narrator.failed(pod, why);
            fate = why;
          }
        });
  }

  void tellAgain() {
    writer.forget();
    mailbox.wake();
  }

  /// The pod as the API has it, or had it last.
  Pod pod() {
    return pod;
  }

  /// The pod with the resources that it got, which may be others than it asks for by now.
  Pod allotted() {
    return allocation.pod();
  }

  /// The newest status, told or about to be.
  JsonNode status() {
    return writer.newest();
  }

  /// Ends the worker; what runs goes on. It decides nothing more from here on: what it sees of an
  /// agent that is closing down says nothing about its pod.
  void close() {
    closed = true;
    mailbox.wake();
  }

  /// To be called after [#close].
  void awaitEnd() throws InterruptedException {
    if (!thread.join(CLOSING)) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      while (!finished) {
        Mail mail = mailbox.take();
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
        tools.metrics().worked(operation(mail), System.nanoTime() - begun);
      }
      over.run();
    } catch (InterruptedException _) {
      // Closed: the next agent goes on from what it finds.
    } finally {
      steps.cancelAll();
      narrator.end();
    }
  }

  /// What made the worker look, in the kubelet's words.
  private String operation(Mail mail) {
    boolean ends = gone || fate != null || pod.getMetadata().getDeletionTimestamp() != null;
    return ends ? "kill" : mail.pod() == null ? "sync" : "update";
  }

  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      // The top of the thread: one pod that cannot be handled is looked at again, later.
      log.error("pod not handled, will retry pod={}", pod.getMetadata().getName(), e);
      alarm.set(tools.clock().instant().plusSeconds(10));
    }
  }

  private void sync() {
    if (ending.isCleaned()) {
      finished = ending.advance(pod, gone);
      return;
    }
    Instant now = tools.clock().instant();
    allot(now);
    Wish wish = wishes.of(pod, gone, ended || fate != null, fate, now);
    Resolved resolved =
        wish instanceof Wish.Run ? tools.resolver().bind(pod, others) : tools.resolver().find(pod);
    switch (resolved) {
      case Resolved.At(var service, var handler) -> {
        ServiceObserver observer = tools.observers().of(service);
        Optional<ObservedPod> observed =
            observer == null ? Optional.empty() : observer.view().look(uid());
        if (observer != null && observed.isPresent()) {
          act(
              wish,
              new PodScene(
                  allocation.pod(),
                  service,
                  handler,
                  observer,
                  observed.get(),
                  recollection.images()));
        }
      }
      case Resolved.Absent() -> settle(wish);
      case Resolved.Later later -> {
        String words = waiting.words(later, writer.newest(), now);
        if (wish instanceof Wish.Run && !words.isEmpty()) {
          narrator.unresolved(pod, words, later);
          publish(
              wish, ObservedPod.NOTHING, Map.of(), Where.nowhere(tools.node().addresses(), words));
        }
        alarm.set(Waiting.lookAgain(later, now));
      }
      case Resolved.Failed(var why) -> reject(why, now);
    }
  }

  /// Fails the pod, or waits with that when its controller has had too many failures in a row.
  private void reject(Fate why, Instant now) {
    Optional<Instant> delayed = tools.rejections().delayed(pod, now);
    if (delayed.isPresent()) {
      alarm.set(delayed.get());
      return;
    }
    narrator.failed(pod, why);
    fate = why;
    settle(wishes.of(pod, gone, true, fate, now));
  }

  /// What cannot be given now may be when other pods are gone.
  private void allot(Instant now) {
    JsonNode told = writer.newest();
    if (Allocation.asks(pod, told)) {
      tools.resolver().allot(pod, told, others, given -> allocation = given);
    } else {
      allocation = new Allocation(pod, "");
    }
    if (!allocation.refusal().isEmpty()) {
      alarm.set(now.plus(RESIZE_AGAIN));
    }
  }

  /// Decides, and begins what was decided.
  private void act(Wish wish, PodScene scene) {
    Instant now = tools.clock().instant();
    Map<String, Verdict> verdicts = narrator.verdicts(scene, wish, steps, mailbox::wake);
    Successors successors = Successors.after(writer.newest());
    Memory memory = recollection.memory(steps.busy(), verdicts, successors);
    PodPlan plan = PodPlan.compute(allocation.pod(), wish, scene.observed(), memory, now);
    if (wish instanceof Wish.Stop) {
      // A start goes on until its hook has run, though the container is there before.
      steps.cancelOthers(plan.steps());
    }
    for (Step step : plan.steps()) {
      Optional<Instant> heldBack = recollection.heldBack(step, now);
      heldBack.ifPresent(alarm::set);
      if (heldBack.isEmpty() && steps.begin(step, scene)) {
        recollection.begun(step, scene.observed(), now);
      }
    }
    scene.observer().expect(uid(), Wishes.changesByItself(pod, wish, scene.observed()));
    if (plan.lookAgain() != null) {
      alarm.set(plan.lookAgain());
    }
    Map<String, Trouble> troubles = new HashMap<>(recollection.troubles());
    troubles.putAll(plan.waiting());
    troubles.putAll(narrator.starting(pod, steps));
    if (wish instanceof Wish.Stop) {
      recollection
          .endBlocked(scene.service().name())
          .ifPresent(
              blocked -> {
                narrator.endBlocked(pod, blocked);
                troubles.put(Memory.SANDBOX, blocked);
              });
    }
    publish(wish, scene.observed(), troubles, narrator.where(scene, writer.newest()));
    Instant deadline = Wishes.deadline(pod, writer.newest());
    if (deadline != null) {
      checkDeadline(deadline, now);
    }
    if (plan.isDone() && wish instanceof Wish.Run) {
      ended = true;
      mailbox.wake();
    } else if (plan.isDone()) {
      end(wish);
    }
  }

  private void checkDeadline(Instant deadline, Instant now) {
    if (fate == null && !ended && !deadline.isAfter(now)) {
      fate = Wishes.DEADLINE_EXCEEDED;
      if (!hasEnded()) {
        narrator.exceeded(pod, fate);
      }
      mailbox.wake();
    } else if (fate == null) {
      alarm.set(deadline);
    }
  }

  /// No runtime service has anything of the pod.
  private void settle(Wish wish) {
    publish(wish, ObservedPod.NOTHING, Map.of(), Where.nowhere(tools.node().addresses(), ""));
    end(wish);
  }

  private void end(Wish wish) {
    stopped = wish instanceof Wish.Stop;
    if (wish instanceof Wish.Stop stop && stop.remove() && steps.isIdle()) {
      finished = ending.advance(pod, gone);
    } else if (wish instanceof Wish.Stop && steps.isIdle()) {
      ending.freeVolumes(pod);
    }
  }

  private void publish(
      Wish wish, ObservedPod observed, Map<String, Trouble> troubles, Where where) {
    if (gone) {
      return;
    }
    ObjectNode status =
        narrator.status(
            new PodNarrator.Situation(
                pod,
                writer.newest(),
                observed,
                troubles,
                fate,
                wish instanceof Wish.Stop,
                where,
                new StatusFacts.Allotted(
                    allocation.pod(), allocation.refusal(), recollection.resized())));
    writer.publish(status);
  }

  private void stepEnded(Step step, Outcome outcome) {
    steps.done(step);
    recollection.ended(step, outcome, tools.clock().instant());
    if (outcome instanceof Outcome.Failed(var container, _, _, var isPull) && isPull) {
      String image = narrator.image(pod, container);
      tools
          .delays()
          .after(PULL_SHOWN, () -> mailbox.post(() -> recollection.backOff(container, image)));
    }
  }

  private String uid() {
    return pod.getMetadata().getUid();
  }
}
