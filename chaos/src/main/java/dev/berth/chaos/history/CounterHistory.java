package dev.berth.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/// Records reads and increments (by compare-and-set) of one counter, and checks that they are
/// linearizable.
///
/// Each increment sets a value that no other increment may set, so values order all operations. The
/// search of Wing and Gong becomes one pass: an operation must not see less than what was complete
/// before it began, and no read may see a value before its write began.
public final class CounterHistory {
  enum Kind {
    READ,
    INCREMENT
  }

  /// @param returned the end of the operation; `Long.MAX_VALUE` for an increment with an unknown
  ///   outcome
  record Operation(Kind kind, long invoked, long returned, long value) {
    boolean isKnown() {
      return returned != Long.MAX_VALUE;
    }
  }

  /// Guards `operations`.
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Operation> operations = new ArrayList<>();

  public void read(long invoked, long returned, long value) {
    add(new Operation(Kind.READ, invoked, returned, value));
  }

  /// Records an acknowledged increment.
  ///
  /// @param value the value after the increment
  public void incremented(long invoked, long returned, long value) {
    add(new Operation(Kind.INCREMENT, invoked, returned, value));
  }

  /// Records an increment with an unknown outcome: it may take effect now, later or never.
  public void unknown(long invoked, long value) {
    add(new Operation(Kind.INCREMENT, invoked, Long.MAX_VALUE, value));
  }

  private void add(Operation operation) {
    lock.lock();
    try {
      operations.add(operation);
    } finally {
      lock.unlock();
    }
  }

  public int size() {
    lock.lock();
    try {
      return operations.size();
    } finally {
      lock.unlock();
    }
  }

  /// The operations that no order can explain.
  public List<String> contradictions() {
    List<Operation> all;
    lock.lock();
    try {
      all = new ArrayList<>(operations);
    } finally {
      lock.unlock();
    }
    List<String> wrong = new ArrayList<>();
    Map<Long, Long> firstWrite = new HashMap<>();
    Map<Long, Integer> acknowledged = new HashMap<>();
    for (Operation one : all) {
      if (one.kind() == Kind.INCREMENT) {
        firstWrite.merge(one.value(), one.invoked(), Math::min);
        // Compare-and-set: of several increments to one value at most one can succeed.
        if (one.isKnown() && acknowledged.merge(one.value(), 1, Integer::sum) == 2) {
          wrong.add("two increments to %d were acknowledged".formatted(one.value()));
        }
      }
    }
    findStale(all, wrong);
    findFromNowhere(all, firstWrite, wrong);
    return wrong;
  }

  /// Finds operations that saw less than what was complete before they began. One pass in the order
  /// of beginnings: `open` holds the operations that may still run at that time.
  private static void findStale(List<Operation> all, List<String> wrong) {
    List<Operation> known =
        all.stream()
            .filter(Operation::isKnown)
            .sorted(Comparator.comparingLong(Operation::invoked))
            .toList();
    PriorityQueue<Operation> open =
        new PriorityQueue<>(Comparator.comparingLong(Operation::returned));
    long complete = 0;
    for (Operation one : known) {
      while (!open.isEmpty() && open.element().returned() < one.invoked()) {
        complete = Math.max(complete, open.remove().value());
      }
      // An increment must exceed every value that was complete before it began.
      long least = one.kind() == Kind.INCREMENT ? complete + 1 : complete;
      if (one.value() < least) {
        wrong.add("%s %d began after %d was complete".formatted(one.kind(), one.value(), complete));
      }
      open.add(one);
    }
  }

  /// Finds reads of values that nobody had begun to write.
  private static void findFromNowhere(
      List<Operation> all, Map<Long, Long> firstWrite, List<String> wrong) {
    for (Operation one : all) {
      if (one.kind() == Kind.READ && one.value() > 0) {
        Long begun = firstWrite.get(one.value());
        if (begun == null || begun > one.returned()) {
          wrong.add("%d was read before anybody wrote it".formatted(one.value()));
        }
      }
    }
  }
}
