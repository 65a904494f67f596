package dev.berth.agent.node.overhead;

import dev.berth.agent.events.NodeEvents;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.api.ResourceAmounts;
import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Measures what sandboxes cost beyond their containers, on a thread of its own, and warns about
/// RuntimeClasses that declare much less.
///
/// OverheadReading costs the runtimes a walk over all their sandboxes, so a node whose pods stay
/// the same is read rarely.
public final class OverheadMeter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OverheadMeter.class);

  /// The time between readings while pods come and go.
  static final Duration SOON = Duration.ofMinutes(1);

  /// The time between readings of a node with the same pods.
  static final Duration LATER = Duration.ofMinutes(5);

  private static final String REASON = "RuntimeClassOverheadTooLow";

  private final Supplier<OverheadReading> reader;
  private final NodeEvents events;
  private final DelayedActions delays;
  private final Thread thread =
      Thread.ofVirtual().name("sandbox-overhead").unstarted(this::repeatReadings);

  /// Written by the thread.
  private volatile List<SandboxOverhead> measured = List.of();

  // The two fields below are confined to the thread.
  private OverheadReading last = new OverheadReading(Instant.EPOCH, List.of());
  private final Map<String, ResourceAmounts> warned = new HashMap<>();

  private OverheadMeter(
      Supplier<OverheadReading> reader, NodeEvents events, DelayedActions delays) {
    this.reader = reader;
    this.events = events;
    this.delays = delays;
  }

  public static OverheadMeter start(
      PodOverheadReader reader, NodeEvents events, DelayedActions delays) {
    return start(reader::read, events, delays);
  }

  static OverheadMeter start(
      Supplier<OverheadReading> reader, NodeEvents events, DelayedActions delays) {
    OverheadMeter meter = new OverheadMeter(reader, events, delays);
    meter.thread.start();
    return meter;
  }

  /// The newest values by handler; values that changed little stay as they were. A handler without
  /// pods keeps its last values.
  public List<SandboxOverhead> measured() {
    return measured;
  }

  private void repeatReadings() {
    WakeSignal never = new WakeSignal();
    try {
      never.await(SOON, delays);
      while (true) {
        never.await(attempt(), delays);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Reads once.
  ///
  /// @return when to read again
  @SuppressWarnings("CatchingUnchecked") // The top of a thread: the next reading may go better.
  private Duration attempt() {
    try {
      OverheadReading now = reader.get();
      boolean same = pods(now).equals(pods(last));
      OverheadSummary summary = new OverheadSummary(last, now);
      publish(summary.byHandler());
      warn(now, summary.byClass());
      last = now;
      return same ? LATER : SOON;
    } catch (RuntimeException e) {
      log.warn("overhead of sandboxes not measured reason={}", e.toString());
      return LATER;
    }
  }

  private static Set<String> pods(OverheadReading reading) {
    return reading.samples().stream()
        .map(SandboxSample::podUid)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private void publish(List<SandboxOverhead> now) {
    Map<String, SandboxOverhead> all = new TreeMap<>();
    measured.forEach(one -> all.put(one.handler(), one));
    for (SandboxOverhead one : now) {
      SandboxOverhead before = all.get(one.handler());
      if (before == null || one.differsFrom(before)) {
        all.put(one.handler(), one);
      }
    }
    measured = List.copyOf(all.values());
  }

  /// Warns once for each declared value: a corrected class is judged again.
  private void warn(OverheadReading now, Map<String, SandboxOverhead> classes) {
    classes.forEach(
        (name, cost) -> {
          ResourceAmounts declared = declared(now, name);
          new OverheadShortfall(name, declared, cost)
              .message()
              .filter(_ -> !Objects.equals(warned.get(name), declared))
              .ifPresent(
                  message -> {
                    warned.put(name, declared);
                    log.warn("overhead of a RuntimeClass is too low class={} {}", name, message);
                    events.publish(true, REASON, message);
                  });
        });
  }

  /// What the class declares; pods keep the overhead of the time of their creation.
  private static ResourceAmounts declared(OverheadReading now, String runtimeClass) {
    return now.samples().stream()
        .filter(one -> one.runtimeClass().equals(runtimeClass))
        .map(SandboxSample::declared)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
