package dev.berth.agent.images;

import dev.berth.cri.CriEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// Chooses images to remove from a disk: the least recently used ones, of whichever image service,
/// until enough is free.
final class CollectionPlan {
  private static final Comparator<Candidate> LONGEST_UNUSED_FIRST =
      Comparator.comparing((Candidate one) -> one.image().lastUsed())
          .thenComparing(one -> one.image().firstSeen())
          .thenComparing(one -> one.image().key());

  private CollectionPlan() {}

  /// An image that may be removed.
  ///
  /// @param store the image service that has it
  record Candidate(CriEndpoint store, StoredImage image) {}

  /// @param candidates the candidates of all services on the disk
  static List<Candidate> choose(List<Candidate> candidates, ImageDisk disk, CollectionRules rules) {
    long capacity = disk.capacity();
    if (capacity <= 0 || disk.used() * 100 < capacity * rules.highPercent()) {
      return List.of();
    }
    long toFree = disk.used() - capacity * rules.lowPercent() / 100;
    List<Candidate> chosen = new ArrayList<>();
    for (Candidate one : candidates.stream().sorted(LONGEST_UNUSED_FIRST).toList()) {
      if (toFree <= 0) {
        break;
      }
      chosen.add(one);
      toFree -= one.image().size();
    }
    return chosen;
  }

  /// All removable images.
  ///
  /// @param isUsed whether containers or services use an image
  static List<StoredImage> unused(
      List<StoredImage> images, Predicate<StoredImage> isUsed, CollectionRules rules, Instant now) {
    return images.stream()
        .filter(image -> !image.isPinned() && !isUsed.test(image))
        .filter(image -> image.firstSeen().plus(rules.minimumAge()).compareTo(now) <= 0)
        .toList();
  }
}
