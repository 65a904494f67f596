package dev.berth.scheduler.placement;

import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.Reason;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Why no node does: how many nodes have which reason.
public final class Refusal {
  private final int nodes;
  private final Map<Reason, Integer> counts;
  private final String overall;
  private final String hint;

  private Refusal(int nodes, Map<Reason, Integer> counts, String overall, String hint) {
    this.nodes = nodes;
    this.counts = Map.copyOf(counts);
    this.overall = overall;
    this.hint = hint;
  }

  /// No node was looked at, because none could do.
  static Refusal ofAll(int nodes, Reason reason) {
    return new Refusal(nodes, Map.of(reason, nodes), reason.text(), "");
  }

  static Refusal noNodes() {
    return new Refusal(0, Map.of(new Reason(Cause.NO_NODES, ""), 0), "", "");
  }

  /// Counts reasons while nodes are looked at.
  static final class Builder {
    private final Map<Reason, Integer> counts = new HashMap<>();

    void add(Collection<Reason> reasons, int nodes) {
      reasons.forEach(reason -> counts.merge(reason, nodes, Integer::sum));
    }

    Refusal build(int nodes) {
      return new Refusal(nodes, counts, "", "");
    }
  }

  /// @param what a sentence that follows the reasons
  Refusal withHint(String what) {
    return new Refusal(nodes, counts, overall, what);
  }

  /// The text of the pod's event and condition, in upstream's format.
  public String message() {
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    String detail = overall.isEmpty() ? String.join(", ", reasonTexts()) : overall;
    return "0/%d nodes are available: %s.%s".formatted(nodes, detail, hint);
  }

  private List<String> reasonTexts() {
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey().text())
        .sorted()
        .toList();
  }

  public Set<Cause> causes() {
    return counts.isEmpty()
        ? EnumSet.noneOf(Cause.class)
        : counts.keySet().stream()
            .map(Reason::cause)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Cause.class)));
  }

  @Override
  public String toString() {
    return message();
  }
}
