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

/// The creations and deletions that a controller requested and that its cache does not show yet.
///
/// While there are any, the cache has too few or too many pods, so that nothing may be decided. A
/// request whose answer was lost counts as successful; after a timeout the server is asked.
///
/// Any thread may call it; requests to the server are made without the lock.
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

  /// Must be called before the request is sent: the watch may deliver its effect before its answer.
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

  /// The server certainly refused the request, or it is no longer needed.
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

  /// Must be called for every change of the cache.
  public void saw(InformerEvent<WorkloadPod> change) {
    WorkloadPod pod = change.latest();
    drop(new Expected.Created(pod.key()));
    if (change instanceof InformerEvent.Removed || pod.identity().isBeingDeleted()) {
      drop(new Expected.Deleted(pod.key(), pod.uid()));
    }
  }

  /// Whether the cache shows all requests for an owner.
  ///
  /// @param ask reads a pod from the server when its expectation is overdue
  public boolean areMet(String owner, Function<ObjectKey, Optional<WorkloadPod>> ask) {
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

  /// A created pod that the server has will reach the cache; one that the server does not have
  /// never will.
  private static boolean isSettled(Expected one, Function<ObjectKey, Optional<WorkloadPod>> ask) {
    return switch (one) {
      case Expected.Created(ObjectKey key) -> ask.apply(key).isEmpty();
      case Expected.Deleted(ObjectKey key, String uid) ->
          ask.apply(key)
              .filter(pod -> pod.uid().equals(uid) && !pod.identity().isBeingDeleted())
              .isEmpty();
    };
  }
}
