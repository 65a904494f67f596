package dev.berth.controllers.workloads;

import dev.berth.client.InformerEvent;
import dev.berth.client.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// What a controller has asked for and its cache has not shown yet.
///
/// While there is something, a look at the cache would count pods too few or too many, so nothing
/// may be decided. A request whose answer was lost counts as made: the server is asked after a
/// while.
public final class ControllerExpectations {
  private static final Duration OVERDUE = Duration.ofSeconds(30);

  private sealed interface Expected {
    record Created(ObjectKey key) implements Expected {}

    record Deleted(ObjectKey key, String uid) implements Expected {}
  }

  private record Asked(String owner, Instant at) {}

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private final Map<Expected, Asked> open = new HashMap<>();

  public ControllerExpectations(InstantSource clock) {
    this.clock = clock;
  }

  /// To be called before the request is sent: its effect may be seen before its answer.
  void creating(String owner, ObjectKey key) {
    put(new Expected.Created(key), owner);
  }

  void deleting(String owner, ObjectKey key, String uid) {
    put(new Expected.Deleted(key, uid), owner);
  }

  private void put(Expected expected, String owner) {
    lock.lock();
    try {
      open.put(expected, new Asked(owner, clock.instant()));
    } finally {
      lock.unlock();
    }
  }

  /// The server has certainly not done it, or there is nothing to do any more.
  void cancelCreation(ObjectKey key) {
    drop(new Expected.Created(key));
  }

  void cancelDeletion(ObjectKey key, String uid) {
    drop(new Expected.Deleted(key, uid));
  }

  private void drop(Expected expected) {
    lock.lock();
    try {
      open.remove(expected);
    } finally {
      lock.unlock();
    }
  }

  /// Told of every change that the cache has seen.
  public void saw(InformerEvent<PodFacts> change) {
    PodFacts pod = change.latest();
    drop(new Expected.Created(pod.key()));
    if (change instanceof InformerEvent.Removed || pod.identity().isBeingDeleted()) {
      drop(new Expected.Deleted(pod.key(), pod.uid()));
    }
  }

  /// Whether the cache shows everything that was asked for on behalf of an owner.
  ///
  /// @param ask the server about a pod, when that is overdue
  public boolean areMet(String owner, Function<ObjectKey, Optional<PodFacts>> ask) {
    overdue(owner).stream().filter(one -> isSettled(one, ask)).forEach(this::drop);
    lock.lock();
    try {
      return open.values().stream().noneMatch(asked -> asked.owner().equals(owner));
    } finally {
      lock.unlock();
    }
  }

  private List<Expected> overdue(String owner) {
    Instant limit = clock.instant().minus(OVERDUE);
    lock.lock();
    try {
      return open.entrySet().stream()
          .filter(one -> one.getValue().owner().equals(owner))
          .filter(one -> one.getValue().at().isBefore(limit))
          .map(Map.Entry::getKey)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /// A pod that was made and is there will be in the cache; one that is not there never will.
  private static boolean isSettled(Expected one, Function<ObjectKey, Optional<PodFacts>> ask) {
    return switch (one) {
      case Expected.Created(ObjectKey key) -> ask.apply(key).isEmpty();
      case Expected.Deleted(ObjectKey key, String uid) ->
          ask.apply(key)
              .filter(pod -> pod.uid().equals(uid) && !pod.identity().isBeingDeleted())
              .isEmpty();
    };
  }
}
