package dev.berth.agent.pods.act;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Limits the start calls in progress at each runtime service to what the processors can serve, and
/// prefers pods that are furthest. Of a hundred pods, half then run after half the time instead of
/// all at the end.
public final class RuntimeStartLimiter {
  /// The stages of a pod's start; later stages go first.
  enum Stage {
    SANDBOX,
    CREATE,
    START
  }

  private final int atOnce;
  private final long patience;
  private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

  public RuntimeStartLimiter(StartLimits limits, int processors) {
    this.atOnce = limits.perProcessor() * processors;
    this.patience = limits.patience().toNanos();
  }

  /// Runs the call when it is its turn at the service.
  <T> T take(String service, Stage stage, Supplier<T> call) throws InterruptedException {
    Line line = lines.computeIfAbsent(service, _ -> new Line());
    Turn turn = line.enter(stage);
    try {
      return call.get();
    } finally {
      line.leave(turn);
    }
  }

  /// One call, waiting or in progress.
  private static final class Turn {
    final Stage stage;
    final long number;
    final Condition called;
    long begun;

    Turn(Stage stage, long number, Condition called) {
      this.stage = stage;
      this.number = number;
      this.called = called;
    }
  }

  /// The calls of one service.
  private final class Line {
    private static final Comparator<Turn> FURTHEST_FIRST =
        Comparator.<Turn, Stage>comparing(turn -> turn.stage)
            .reversed()
            .thenComparingLong(turn -> turn.number);

    // Guards the fields below.
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Turn> waiting = new PriorityQueue<>(FURTHEST_FIRST);
    private final Deque<Turn> counted = new ArrayDeque<>();
    private long next;

    // Turns are compared by identity.
    @SuppressWarnings("ReferenceEquality")
    Turn enter(Stage stage) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        Turn turn = new Turn(stage, next++, lock.newCondition());
        waiting.add(turn);
        try {
          while (waiting.peek() != turn || !hasRoom()) {
            // The result does not matter: the call stops counting either way.
            boolean _ = turn.called.await(patience, TimeUnit.NANOSECONDS);
          }
          turn.begun = System.nanoTime();
          counted.add(turn);
        } finally {
          waiting.remove(turn);
          callNext();
        }
        return turn;
      } finally {
        lock.unlock();
      }
    }

    private boolean hasRoom() {
      long now = System.nanoTime();
      while (!counted.isEmpty() && now - counted.getFirst().begun >= patience) {
        counted.removeFirst();
      }
      return counted.size() < atOnce;
    }

    private void callNext() {
      Turn first = waiting.peek();
      if (first != null) {
        first.called.signal();
      }
    }

    void leave(Turn turn) {
      lock.lock();
      try {
        counted.remove(turn);
        callNext();
      } finally {
        lock.unlock();
      }
    }
  }
}
