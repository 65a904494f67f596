package dev.berth.server.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A few seats for requests that cost much work, given to flows in turn: whoever asks for many
/// waits for its own earlier requests, and hardly for those of others.
///
/// One flow gets three quarters of the seats at most, so that a new flow finds one free.
final class FairSeats {
  private final int seats;
  private final int share;
  private final int queue;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Flow> flows = new HashMap<>(); // guarded by the lock
  private int used; // guarded by the lock
  private int waiting; // guarded by the lock
  private long granted; // guarded by the lock; counts grants
  private long rejected; // guarded by the lock

  /// All of it is guarded by the lock.
  private static final class Flow {
    private final String name;
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private int used;
    private long lastGrant;

    private Flow(String name) {
      this.name = name;
    }
  }

  /// Guarded by the lock.
  private static final class Waiter {
    private final Condition change;
    private boolean hasSeat;

    private Waiter(Condition change) {
      this.change = change;
    }
  }

  /// @param queue how many requests of one flow may wait
  /// @param patience how long they wait
  FairSeats(int seats, int queue, Duration patience) {
    this.seats = seats;
    this.share = Math.max(1, seats - Math.max(1, seats / 4));
    this.queue = queue;
    this.patience = patience;
  }

  /// Waits for a seat; empty when too many of the flow wait already, or for too long.
  Optional<Inflight.Place> enter(String name) throws InterruptedException {
    lock.lock();
    try {
      Flow flow = flows.computeIfAbsent(name, Flow::new);
      Waiter waiter = new Waiter(lock.newCondition());
      if (flow.queue.size() < queue) {
        flow.queue.add(waiter);
        waiting++;
        grant();
        await(flow, waiter);
      }
      if (waiter.hasSeat) {
        return Optional.of(() -> leave(flow));
      }
      rejected++;
      forget(flow);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void await(Flow flow, Waiter waiter) throws InterruptedException {
    long left = patience.toNanos();
    boolean interrupted = true;
    try {
      while (!waiter.hasSeat && left > 0) {
        left = waiter.change.awaitNanos(left);
      }
      interrupted = false;
    } finally {
      if (!waiter.hasSeat) {
        flow.queue.remove(waiter);
        waiting--;
        forget(flow);
      } else if (interrupted) {
        leave(flow);
      }
    }
  }

  /// The flow with the fewest seats comes first, among those the one that waits longest for its
  /// turn.
  private void grant() {
    while (used < seats && waiting > 0) {
      Flow next =
          flows.values().stream()
              .filter(flow -> !flow.queue.isEmpty() && flow.used < share)
              .min(
                  Comparator.<Flow>comparingInt(flow -> flow.used)
                      .thenComparingLong(flow -> flow.lastGrant))
              .orElse(null);
      if (next == null) {
        return;
      }
      Waiter waiter = next.queue.remove();
      waiter.hasSeat = true;
      waiter.change.signal();
      waiting--;
      used++;
      next.used++;
      next.lastGrant = ++granted;
    }
  }

  private void leave(Flow flow) {
    lock.lock();
    try {
      used--;
      flow.used--;
      grant();
      forget(flow);
    } finally {
      lock.unlock();
    }
  }

  private void forget(Flow flow) {
    if (flow.used == 0 && flow.queue.isEmpty()) {
      flows.remove(flow.name, flow);
    }
  }

  int used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  long rejected() {
    lock.lock();
    try {
      return rejected;
    } finally {
      lock.unlock();
    }
  }
}
