package dev.berth.agent.pods;

import dev.berth.agent.images.ImageFacts;
import dev.berth.agent.pods.act.Outcome;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.plan.Crash;
import dev.berth.agent.pods.plan.Memory;
import dev.berth.agent.pods.plan.Step;
import dev.berth.agent.pods.plan.Stopping;
import dev.berth.agent.pods.plan.Successors;
import dev.berth.agent.pods.plan.Trouble;
import dev.berth.agent.probes.Probes.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What a pod's worker remembers from one plan to the next: failures, back-offs, images. Of the
/// worker's thread alone; lost with the agent, which costs one early attempt.
final class Recollection {
  private static final Doubling PULLS = new Doubling(Crash.FIRST, Crash.LONGEST);
  private static final Doubling OTHERS =
      new Doubling(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /// How often is looked whether somebody brought an image while its pull has to wait.
  private static final Duration LOOK = Duration.ofSeconds(10);

  /// Where no registry was asked: shown as long as they last, and looked at again soon, as somebody
  /// may bring the image.
  private static final Set<String> LOCAL =
      Set.of("ErrImageNeverPull", "InvalidImageName", "ImageInspectError");

  private final Map<String, Trouble> troubles = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();
  private final Map<String, Crash> crashes = new HashMap<>();
  private final Map<String, ImageFacts> images = new HashMap<>();
  private final Map<String, String> resized = new HashMap<>();
  private final Map<String, Stopping> stopping = new HashMap<>();
  private final EndRetries ends = new EndRetries();

  Memory memory(Set<String> busy, Map<String, Verdict> verdicts, Successors successors) {
    Set<String> pulled = new HashSet<>(images.keySet());
    return new Memory(
        busy,
        troubles,
        crashes,
        pulled,
        verdicts,
        resized,
        successors,
        stopping,
        ends.unremovable());
  }

  /// The time before which the step is not begun; empty when it may be now.
  Optional<Instant> heldBack(Step step, Instant now) {
    return ends.heldBack(step, now);
  }

  /// What keeps the pod from its end, if something does.
  Optional<Trouble> endBlocked(String service) {
    return ends.blocked(service);
  }

  Map<String, ImageFacts> images() {
    return images;
  }

  Map<String, Trouble> troubles() {
    return troubles;
  }

  Map<String, String> resized() {
    return resized;
  }

  void begun(Step step, ObservedPod observed, Instant now) {
    if (step instanceof Step.PreStop(var id, _, var grace, _)) {
      stopping.keySet().retainAll(observed.containers().stream().map(one -> one.id()).toList());
      stopping.put(id, new Stopping(grace, now, false));
    }
    if (step instanceof Step.StartContainer start && start.created() == null) {
      ObservedContainer last = observed.newestIn(start.sandboxId(), start.container());
      if (last != null && last.hasExited()) {
        Instant ended = Objects.requireNonNullElse(last.finishedAt(), last.createdAt());
        crashes.put(start.container(), Crash.next(crashes.get(start.container()), ended, now));
      }
    }
  }

  void ended(Step step, Outcome outcome, Instant now) {
    ends.ended(step, outcome, now);
    if (step instanceof Step.StartContainer start) {
      images.remove(start.container()); // The policy may want to look again.
    }
    if (step instanceof Step.PreStop preStop) {
      // Whatever became of the hook, the container is stopped.
      stopping.computeIfPresent(preStop.id(), (_, begun) -> begun.ready());
      return;
    }
    switch (outcome) {
      case Outcome.Done() -> {
        switch (step) {
          case Step.StartContainer start -> forget(start.container());
          case Step.RunSandbox _ -> forget(Memory.SANDBOX);
          case Step.ResizeContainer(var id, var container, var wanted) -> {
            resized.put(id, wanted);
            forget(container);
          }
          case Step.ResizePod(var wanted) -> {
            resized.put(Memory.SANDBOX, wanted);
            forget(Memory.SANDBOX);
          }
          case Step.FindImage(var container) ->
              troubles.computeIfPresent(
                  container, (_, trouble) -> trouble.lookingAt(now.plus(LOOK)));
          case Step.StopSandbox _,
              Step.RemoveSandbox _,
              Step.PullImage _,
              Step.PreStop _,
              Step.StopContainer _,
              Step.RemoveContainer _ -> {
            // Nothing was in trouble because of these.
          }
        }
      }
      case Outcome.Pulled(var container, var image) -> {
        images.put(container, image);
        if (isPull(troubles.get(container))) {
          forget(container);
        }
      }
      case Outcome.Failed(var subject, var reason, var message, var isPull) ->
          failed(subject, reason, message, isPull, now);
      case Outcome.Unknown(var subject, var message) ->
          failed(subject, "ContainerCreating", message, false, now);
    }
  }

  private void failed(String subject, String reason, String message, boolean isPull, Instant now) {
    int before = failures.merge(subject, 1, Integer::sum) - 1;
    boolean burdensOthers = isPull && !LOCAL.contains(reason);
    Doubling waits = burdensOthers ? PULLS : OTHERS;
    Trouble trouble = new Trouble(reason, message, now.plus(waits.after(before)));
    troubles.put(subject, burdensOthers ? trouble.lookingAt(now.plus(LOOK)) : trouble);
  }

  private static boolean isPull(@org.jspecify.annotations.Nullable Trouble trouble) {
    return trouble != null
        && Stream.of("Image", "Registry", "Signature").anyMatch(trouble.reason()::contains);
  }

  /// A pull that failed is shown as such for a moment, then as waiting for the next attempt.
  void backOff(String container, String image) {
    Trouble trouble = troubles.get(container);
    if (trouble != null
        && isPull(trouble)
        && !LOCAL.contains(trouble.reason())
        && !trouble.reason().equals("ImagePullBackOff")) {
      troubles.put(
          container,
          trouble.shownAs(
              "ImagePullBackOff",
              "Back-off pulling image \"%s\": %s: %s"
                  .formatted(image, trouble.reason(), trouble.message())));
    }
  }

  private void forget(String subject) {
    troubles.remove(subject);
    failures.remove(subject);
  }
}
