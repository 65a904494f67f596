package dev.berth.server.http.transport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounds the memory that waits for slow clients. Over the limit, the oldest wait of the connection
/// with the most waits is cut off: clients that are merely busy are not hit by those that open many
/// requests and never read.
///
/// Waits are futures: whoever waits for a client registers one, and a cut-off completes it
/// exceptionally, which the waiting code turns into the end of its request. A wait that ends in any
/// other way leaves by itself.
public final class WriteBacklog {
  private static final Logger log = LoggerFactory.getLogger(WriteBacklog.class);

  /// Fixed memory of a request: its stream and the stack of its thread.
  private static final long REQUEST_BYTES = 16 << 10;

  /// Orders connections: more waits first, then older waits. A connection itself may be older than
  /// its waits.
  private static final Comparator<Set<Wait>> WORSE =
      Comparator.<Set<Wait>>comparingInt(Set::size).thenComparingLong(one -> -oldest(one).number);

  private final long limit;

  /// Guards the waits and the sum. Waits are cut off outside of it, because that runs callbacks of
  /// Jetty.
  private final ReentrantLock lock = new ReentrantLock();

  /// The waits of each connection, oldest first; guarded by the lock.
  private final Map<Object, Set<Wait>> waits = new HashMap<>();

  private final AtomicLong total = new AtomicLong(); // changed under the lock
  private boolean isFull; // guarded by the lock
  private long entered; // guarded by the lock

  /// A wait for a client; two waits are never equal.
  private static final class Wait {
    private final Object connection;
    private final CompletableFuture<Void> end;
    private final long bytes;
    private long number; // in the order of their beginning

    private Wait(Object connection, CompletableFuture<Void> end, long bytes) {
      this.connection = connection;
      this.end = end;
      this.bytes = bytes;
    }
  }

  /// The part of one connection.
  record Share(WriteBacklog backlog, Object connection) {
    /// Counts bytes until a wait ends.
    ///
    /// @param end fails when the wait is cut off; the waiting code cancels it when it stops waiting
    void add(CompletableFuture<Void> end, long bytes) {
      backlog.add(new Wait(connection, end, REQUEST_BYTES + bytes));
    }
  }

  /// Starts empty.
  ///
  /// @param limit in bytes
  public WriteBacklog(long limit) {
    this.limit = limit;
  }

  private void add(Wait wait) {
    List<Wait> tooMany = enter(wait);
    var _ = wait.end.whenComplete((_, _) -> leave(wait));
    for (Wait other : tooMany) {
      other.end.completeExceptionally(SlowClientException.amongTooMany(limit));
    }
  }

  private List<Wait> enter(Wait wait) {
    List<Wait> tooMany = new ArrayList<>();
    lock.lock();
    try {
      wait.number = ++entered;
      waits.computeIfAbsent(wait.connection, _ -> new LinkedHashSet<>()).add(wait);
      total.addAndGet(wait.bytes);
      while (total.get() > limit) {
        Wait worst = worst();
        // Only the newest wait is left. It stays even if it exceeds the limit alone, because nobody
        // else suffers from it.
        if (worst == wait) {
          break;
        }
        remove(worst);
        tooMany.add(worst);
      }
      if (!tooMany.isEmpty() && !isFull) {
        isFull = true;
        log.warn(
            "held memory for slow clients exceeds its limit; the oldest waits of the connections"
                + " with the most held memory are cut off bytes={} limit={}",
            total.get(),
            limit);
      }
    } finally {
      lock.unlock();
    }
    return tooMany;
  }

  /// Never empty: the newest wait has just been added.
  private Wait worst() {
    return oldest(Collections.max(waits.values(), WORSE));
  }

  private static Wait oldest(Set<Wait> ofConnection) {
    return ofConnection.iterator().next();
  }

  private boolean remove(Wait wait) {
    Set<Wait> all = waits.getOrDefault(wait.connection, Set.of());
    if (!all.contains(wait)) {
      return false;
    }
    all.remove(wait);
    if (all.isEmpty()) {
      waits.remove(wait.connection);
    }
    total.addAndGet(-wait.bytes);
    return true;
  }

  private void leave(Wait wait) {
    lock.lock();
    try {
      if (remove(wait)) {
        isFull &= isTight();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether new requests should hold little.
  boolean isTight() {
    return total.get() > limit / 2;
  }

  /// Held bytes.
  public long total() {
    return total.get();
  }
}
