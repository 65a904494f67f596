package dev.berth.agent.images;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Chooses the images to be removed from a disk: those not used for longest, until enough is free.
final class CollectionPlan {
  private CollectionPlan() {}

  /// @param used and `capacity`: of the disk, in bytes
  /// @param inUse names and ids of images of which there are containers, and that services need
  static List<StoredImage> choose(
      List<StoredImage> images,
      Set<String> inUse,
      long used,
      long capacity,
      CollectionRules rules,
      Instant now) {
    if (capacity <= 0 || used * 100 < capacity * rules.highPercent()) {
      return List.of();
    }
    long toFree = used - capacity * rules.lowPercent() / 100;
    List<StoredImage> chosen = new ArrayList<>();
    for (StoredImage image : unused(images, inUse, rules, now)) {
      if (toFree <= 0) {
        break;
      }
      chosen.add(image);
      toFree -= image.size();
    }
    return chosen;
  }

  /// All that may go, those not used for longest first.
  static List<StoredImage> unused(
      List<StoredImage> images, Set<String> inUse, CollectionRules rules, Instant now) {
    return images.stream()
        .filter(image -> !image.isPinned() && image.names().stream().noneMatch(inUse::contains))
        .filter(image -> image.firstSeen().plus(rules.minimumAge()).compareTo(now) <= 0)
        .sorted(
            Comparator.comparing(StoredImage::lastUsed)
                .thenComparing(StoredImage::firstSeen)
                .thenComparing(StoredImage::key))
        .toList();
  }
}
