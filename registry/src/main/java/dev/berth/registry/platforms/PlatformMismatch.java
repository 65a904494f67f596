package dev.berth.registry.platforms;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Why no entry of an index fits a handler, or any handler of several. Admission, the agent and the
/// command line use this sentence.
///
/// @param image as its reader knows it
/// @param target what is to run it, such as `linux/arm64`
/// @param available the platforms of the entries, in their order
public record PlatformMismatch(String image, String target, List<String> available) {
  public static final String REMEDY =
      "Use an image for this platform, or a node or RuntimeClass that runs one of these";

  private static final int MOST_NAMED = 12;

  public PlatformMismatch {
    available = List.copyOf(available);
  }

  public PlatformMismatch(String image, TargetPlatform target, List<String> available) {
    this(image, target.toString(), available);
  }

  /// For one target, or for several of which none runs the image.
  public static PlatformMismatch of(
      String image, Collection<TargetPlatform> targets, ImageIndex index) {
    return new PlatformMismatch(
        image,
        join(targets.stream().map(TargetPlatform::toString)),
        index.manifests().stream()
            .map(
                entry ->
                    entry.platformIfKnown().map(ImagePlatform::describe).orElse("an unknown one"))
            .distinct()
            .toList());
  }

  /// The platforms of the entries that a node could have.
  public List<ImagePlatform> platforms() {
    return available.stream()
        .flatMap(text -> ImagePlatform.parseWithVersion(text.toLowerCase(Locale.ROOT)).stream())
        .toList();
  }

  /// The same for nodes of several targets of which none runs the image.
  public static PlatformMismatch joined(Collection<PlatformMismatch> ofOneImage) {
    PlatformMismatch any = ofOneImage.iterator().next();
    return new PlatformMismatch(
        any.image(), join(ofOneImage.stream().map(PlatformMismatch::target)), any.available());
  }

  private static String join(Stream<String> targets) {
    return targets.distinct().sorted().limit(MOST_NAMED).collect(Collectors.joining(" or "));
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

  /// The whole sentence with what would do.
  ///
  /// @param remedy such as `node n1 could run linux/arm64`
  public String message(String remedy) {
    return message() + "; " + remedy;
  }

  /// The sentence with what to do, for somebody whose pod cannot run the image.
  public String advice() {
    return message() + ". " + REMEDY;
  }
}
