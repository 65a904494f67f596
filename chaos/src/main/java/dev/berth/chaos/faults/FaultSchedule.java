package dev.berth.chaos.faults;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The endless sequence of steps of a seed. It begins with one fault of each kind, so that short
/// runs cover all kinds; each fault has its turn before one comes again.
public final class FaultSchedule {
  /// The share of steps with two faults.
  private static final double TWO_AT_ONCE = 0.25;

  private static final int LONGEST_REST_MILLIS = 2_000;

  private final List<FaultOption> options;
  private final Random random;

  /// The faults that have not had their turn, in random order.
  private final Deque<FaultOption> deck = new ArrayDeque<>();

  private int number;

  public FaultSchedule(List<FaultOption> options, long seed) {
    if (options.isEmpty()) {
      throw new IllegalArgumentException("no fault is selected");
    }
    this.options = List.copyOf(options);
    this.random = new Random(seed);
  }

  public FaultStep next() {
    FaultOption first = deal();
    List<FaultOption> faults = new ArrayList<>(List.of(first));
    if (random.nextDouble() < TWO_AT_ONCE && !isAlone(first)) {
      deck.stream()
          .filter(other -> !isAlone(other) && !other.target().equals(first.target()))
          .findFirst()
          .ifPresent(
              second -> {
                deck.remove(second);
                faults.add(second);
              });
    }
    long shortest = first.shortest().toMillis();
    long span = first.longest().toMillis() - shortest;
    Duration hold = Duration.ofMillis(shortest + (span > 0 ? random.nextLong(span) : 0));
    Duration rest = Duration.ofMillis(random.nextInt(LONGEST_REST_MILLIS));
    number++;
    return new FaultStep(number, faults, random.nextLong(), hold, rest);
  }

  /// Whether a fault must be the only one of its step. Answers to broken requests mean something
  /// only while nothing else is wrong. A power cut removes process and disk, so that no target is
  /// left.
  private static boolean isAlone(FaultOption option) {
    return option.kind() == FaultKind.HOSTILE_CLIENT || option.kind() == FaultKind.POWER_CUT;
  }

  private FaultOption deal() {
    if (deck.isEmpty()) {
      List<FaultOption> shuffled = new ArrayList<>(options);
      Collections.shuffle(shuffled, random);
      deck.addAll(firstOfEachKind(shuffled));
    }
    return deck.removeFirst();
  }

  /// Moves the first fault of each kind to the front.
  private static List<FaultOption> firstOfEachKind(List<FaultOption> shuffled) {
    Map<FaultKind, FaultOption> firsts = new LinkedHashMap<>();
    shuffled.forEach(option -> firsts.putIfAbsent(option.kind(), option));
    List<FaultOption> ordered = new ArrayList<>(firsts.values());
    shuffled.stream().filter(option -> !ordered.contains(option)).forEach(ordered::add);
    return ordered;
  }
}
