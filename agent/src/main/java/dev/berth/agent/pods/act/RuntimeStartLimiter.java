package dev.berth.agent.pods.act;

import java.time.Duration;
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

/// Who may ask a runtime service to start something: only as many at a time as the processors can
/// serve, and first those who are furthest. Of a hundred pods half then run after half the time,
/// instead of all at its end.
public final class RuntimeStartLimiter {
  /// What a pod's start consists of; the later, the sooner it gets its turn.
  enum Stage {
    SANDBOX,
    CREATE,
    START
  }

  private static final int STARTS_PER_PROCESSOR = 4;

  /// Far longer than a call takes on a busy processor; what takes longer waits for something else,
  /// such as an address from afar, and must not keep others waiting.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final int atOnce;
  private final long patience;
  private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

  /// @param patience how long a call counts
  RuntimeStartLimiter(int atOnce, Duration patience) {
    this.atOnce = atOnce;
    this.patience = patience.toNanos();
  }

  public static RuntimeStartLimiter of(int processors) {
    return new RuntimeStartLimiter(STARTS_PER_PROCESSOR * processors, PATIENCE);
  }

  /// Calls when it is this one's turn at the service.
  <T> T take(String service, Stage stage, Supplier<T> call) throws InterruptedException {
    Line line = lines.computeIfAbsent(service, _ -> new Line());
    Turn turn = line.enter(stage);
    try {
      return call.get();
    } finally {
      line.leave(turn);
    }
  }

  /// One call, waiting or under way.
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

    // Guards all below.
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Turn> waiting = new PriorityQueue<>(FURTHEST_FIRST);
    private final Deque<Turn> counted = new ArrayDeque<>();
    private long next;

    // Turns are compared as objects.
    @SuppressWarnings("ReferenceEquality")
    Turn enter(Stage stage) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        Turn turn = new Turn(stage, next++, lock.newCondition());
        waiting.add(turn);
        try {
          while (waiting.peek() != turn || !hasRoom()) {
            // Nobody tells when a call stops counting.
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
