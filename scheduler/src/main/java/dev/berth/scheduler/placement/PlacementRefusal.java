package dev.berth.scheduler.placement;

import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Why no node is feasible: the number of nodes by reason.
///
/// A node with several reasons counts for each of them, as upstream: the numbers in the message may
/// add up to more than the nodes.
public final class PlacementRefusal {
  private final int nodes;
  private final Map<RefusalReason, Integer> counts;
  private final String overall;
  private final String hint;

  private PlacementRefusal(
      int nodes, Map<RefusalReason, Integer> counts, String overall, String hint) {
    this.nodes = nodes;
    this.counts = Map.copyOf(counts);
    this.overall = overall;
    this.hint = hint;
  }

  /// A refusal without looking at nodes.
  static PlacementRefusal ofAll(int nodes, RefusalReason reason) {
    return new PlacementRefusal(nodes, Map.of(reason, nodes), reason.text(), "");
  }

  static PlacementRefusal noNodes() {
    return new PlacementRefusal(0, Map.of(new RefusalReason(RefusalCause.NO_NODES, ""), 0), "", "");
  }

  /// Counts the reasons of the nodes.
  static final class Builder {
    private final Map<RefusalReason, Integer> counts = new HashMap<>();

    void add(Collection<RefusalReason> reasons, int nodes) {
      reasons.forEach(reason -> counts.merge(reason, nodes, Integer::sum));
    }

    PlacementRefusal build(int nodes) {
      return new PlacementRefusal(nodes, counts, "", "");
    }
  }

  /// @param what a sentence that follows the reasons
  PlacementRefusal withHint(String what) {
    return new PlacementRefusal(nodes, counts, overall, what);
  }

  /// With one sentence for each image that nodes cannot run, instead of one for each platform of a
  /// node.
  ///
  /// @param sentence the whole sentence, with what would do
  PlacementRefusal withImages(Function<PlatformMismatch, String> sentence) {
    Map<RefusalReason, Integer> merged = new HashMap<>();
    Map<String, List<PlatformMismatch>> images = new TreeMap<>();
    Map<String, Integer> refused = new HashMap<>();
    for (Map.Entry<RefusalReason, Integer> entry : counts.entrySet()) {
      PlatformMismatch mismatch = entry.getKey().mismatch();
      if (mismatch == null) {
        merged.put(entry.getKey(), entry.getValue());
      } else {
        images.computeIfAbsent(mismatch.image(), _ -> new ArrayList<>()).add(mismatch);
        refused.merge(mismatch.image(), entry.getValue(), Integer::sum);
      }
    }
    images.forEach(
        (image, all) -> {
          // Sorted, so that an equal situation has an equal message.
          all.sort(Comparator.comparing(PlatformMismatch::target));
          String text = RefusalReason.ofImage(sentence.apply(PlatformMismatch.joined(all)));
          merged.put(new RefusalReason(RefusalCause.IMAGES, text), refused.getOrDefault(image, 0));
        });
    return new PlacementRefusal(nodes, merged, overall, hint);
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
        // Upstream sorts the texts with their counts, so that an equal situation has an equal
        // message and the condition is not rewritten.
        .sorted()
        .toList();
  }

  public Set<RefusalCause> causes() {
    return counts.isEmpty()
        ? EnumSet.noneOf(RefusalCause.class)
        : counts.keySet().stream()
            .map(RefusalReason::cause)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(RefusalCause.class)));
  }

  @Override
  public String toString() {
    return message();
  }
}
