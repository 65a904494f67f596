package dev.berth.chaos.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The log of a run in order: steps, violations with the steps before each, and counts. Any thread
/// may call it.
public final class RunLog {
  /// The name of the counter of acknowledged writes.
  public static final String WRITES = "acknowledged writes";

  /// Steps that are shown before a violation.
  private static final int STEPS_BEFORE = 12;

  /// Bound of the recorded violations; a broken system has thousands, which the count still shows.
  private static final int KEPT_VIOLATIONS = 200;

  /// A step of the run.
  ///
  /// @param at the time since the start of the run
  public record Entry(Duration at, String text) {
    @Override
    public String toString() {
      return "%7.1f s  %s".formatted(at.toMillis() / 1e3, text);
    }
  }

  /// A violation of a rule.
  ///
  /// @param before the steps before it
  public record Violation(Duration at, String rule, String text, List<Entry> before) {
    public Violation {
      before = List.copyOf(before);
    }
  }

  /// A fault that was injected.
  public record FaultSpan(String arena, String fault, Duration from, Duration to) {}

  /// The number of acknowledged writes at a time.
  public record Sample(Duration at, long writes) {}

  private final long start = System.nanoTime();
  private final Consumer<String> screen;

  /// Guards all fields below.
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Entry> entries = new ArrayList<>();
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final List<FaultSpan> faults = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private String arena = "";

  /// Makes an empty log.
  ///
  /// @param screen receives each line at once
  public RunLog(Consumer<String> screen) {
    this.screen = screen;
  }

  public void step(String text) {
    Entry entry = new Entry(now(), text);
    locked(() -> entries.add(entry));
    screen.accept(entry.toString());
  }

  /// Starts the entries of an arena.
  public void arena(String name) {
    locked(() -> arena = name);
    step("arena " + name);
  }

  public void fault(String fault, Duration from) {
    Duration to = now();
    locked(() -> faults.add(new FaultSpan(arena, fault, from, to)));
    count("faults: " + fault);
  }

  /// Records a violation.
  ///
  /// @param rule the checker that found it
  public void violation(String rule, String text) {
    Duration at = now();
    locked(
        () -> {
          counts.merge("violations", 1L, Long::sum);
          if (violations.size() < KEPT_VIOLATIONS) {
            int from = Math.max(0, entries.size() - STEPS_BEFORE);
            violations.add(new Violation(at, rule, text, entries.subList(from, entries.size())));
            screen.accept(new Entry(at, "VIOLATION of " + rule + ": " + text).toString());
          }
        });
  }

  public void count(String what) {
    count(what, 1);
  }

  public void count(String what, long more) {
    locked(
        () -> {
          long now = counts.merge(what, more, Long::sum);
          if (what.equals(WRITES)) {
            sample(now);
          }
        });
  }

  /// Samples once a second, which is enough for a plot.
  private void sample(long writes) {
    Duration at = now();
    if (samples.isEmpty() || at.minus(samples.getLast().at()).toMillis() >= 1_000) {
      samples.add(new Sample(at, writes));
    }
  }

  public Duration now() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  public List<Entry> entries() {
    return read(() -> List.copyOf(entries));
  }

  public List<Violation> violations() {
    return read(() -> List.copyOf(violations));
  }

  public List<FaultSpan> faults() {
    return read(() -> List.copyOf(faults));
  }

  public List<Sample> samples() {
    return read(() -> List.copyOf(samples));
  }

  public Map<String, Long> counts() {
    return read(() -> new TreeMap<>(counts));
  }

  private <T> T read(Supplier<T> value) {
    lock.lock();
    try {
      return value.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
