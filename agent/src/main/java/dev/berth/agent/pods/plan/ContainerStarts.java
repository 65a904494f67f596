package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Plans starts of containers, with the pulls before them.
final class ContainerStarts {
  private final ObservedPod observed;
  private final PlanInput memory;
  private final PlanDraft draft;

  /// Containers start in order, each when the one before it is up.
  private boolean mayStart = true;

  ContainerStarts(ObservedPod observed, PlanInput memory, PlanDraft draft) {
    this.observed = observed;
    this.memory = memory;
    this.draft = draft;
  }

  /// A container is not up yet, so those after it wait; their images are pulled meanwhile.
  void holdBackOthers() {
    mayStart = false;
  }

  /// Ephemeral containers wait for no other container: they serve to debug those that fail.
  void ephemeral(String sandbox, EphemeralContainer container) {
    String name = container.getName();
    ObservedContainer newest = observed.newest(name);
    boolean isNew = newest == null || newest.state() == ObservedContainer.State.CREATED;
    if (!isNew) {
      return;
    }
    if (draft.isHeldBack(PodPart.container(name))) {
      find(name);
    } else if (!pull(name) && !sandbox.isEmpty()) {
      draft.add(startStep(sandbox, name, newest));
    }
  }

  /// Pulls the image first, which needs no sandbox and waits for no other container.
  void start(String sandbox, String container, @Nullable ObservedContainer created) {
    if (draft.isHeldBack(PodPart.container(container))) {
      find(container);
      return;
    }
    if (!pull(container) && mayStart && !sandbox.isEmpty()) {
      draft.add(startStep(sandbox, container, created));
    }
    mayStart = false;
  }

  /// Plans a pull.
  ///
  /// @return whether the container has to wait for it
  private boolean pull(String container) {
    boolean needed = !memory.pulled().contains(container);
    if (needed) {
      draft.add(new PodStep.PullImage(container));
    }
    return needed;
  }

  /// Checks periodically whether the missing image was imported.
  private void find(String container) {
    ContainerWaiting containerWaiting =
        Objects.requireNonNull(memory.waitingParts().get(PodPart.container(container)));
    if (containerWaiting.lookAt().isAfter(draft.now())) {
      draft.lookAgainAt(containerWaiting.lookAt());
    } else {
      draft.add(new PodStep.FindImage(container));
    }
  }

  private PodStep startStep(String sandbox, String container, @Nullable ObservedContainer created) {
    ObservedContainer last = observed.newest(container);
    return new PodStep.StartContainer(
        container,
        number(container, last, created),
        sandbox,
        created == null ? null : created.id());
  }

  private int number(
      String container, @Nullable ObservedContainer last, @Nullable ObservedContainer created) {
    if (last == null) {
      return memory.restartCounts().numberAfterNone(container);
    }
    return last.equals(created) ? last.attempt() : last.attempt() + 1;
  }
}
