package dev.berth.registry.platforms;

import java.util.List;

/// Why no entry of an index fits a handler.
///
/// @param image as its reader knows it
/// @param available the platforms of the entries, in their order
public record PlatformMismatch(String image, TargetPlatform target, List<String> available) {
  private static final int MOST_NAMED = 12;

  public PlatformMismatch {
    available = List.copyOf(available);
  }

  static PlatformMismatch of(String image, TargetPlatform target, ImageIndex index) {
    return new PlatformMismatch(
        image,
        target,
        index.manifests().stream()
            .map(
                entry ->
                    entry.platformIfKnown().map(ImagePlatform::toString).orElse("an unknown one"))
            .distinct()
            .toList());
  }

  /// `image golang:1 has no entry for windows/amd64 10.0.17763`.
  public String what() {
    return "image %s has no entry for %s".formatted(image, target);
  }

  /// `it has linux/amd64, windows/amd64 10.0.14393.3274`; long lists are cut.
  public String why() {
    if (available.isEmpty()) {
      return "it has none at all";
    }
    int more = available.size() - MOST_NAMED;
    return "it has "
        + String.join(", ", available.subList(0, Math.min(MOST_NAMED, available.size())))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  /// The whole sentence, to which a caller may add what would do.
  public String message() {
    return what() + "; " + why();
  }
}
