package dev.berth.registry.placement;

import dev.berth.api.platforms.WindowsVersion;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Says which RuntimeClasses and nodes could run an image: the end of the sentence of a
/// PlatformMismatch, the same for admission, scheduler, agent and command line.
public final class ImageRemedy {
  static final String NOTHING = "no node and no RuntimeClass of the cluster could run it";

  private static final String EXCLUDED =
      ", which the pod's node name, node selector, affinity or system excludes";
  private static final int MOST_NAMED = 5;

  private final List<List<ImagePlatform>> images;
  private final List<ImagePlatform> subject;

  /// Makes one matcher for each target: nodes mostly have the same few.
  private final Map<TargetPlatform, PlatformMatcher> matchers = new HashMap<>();

  /// @param images the platforms of all images of a pod
  /// @param subject those of the image that the sentence is about
  public ImageRemedy(List<List<ImagePlatform>> images, List<ImagePlatform> subject) {
    this.images = List.copyOf(images);
    this.subject = List.copyOf(subject);
  }

  /// Of one image.
  public ImageRemedy(List<ImagePlatform> image) {
    this(List.of(image), image);
  }

  /// `RuntimeClass emulated on node emu could run linux/s390x; nodes n1, n2 could run linux/arm64`:
  /// the class with the most nodes first.
  ///
  /// @param allowed what the pod's own rules about nodes allow
  /// @param excluded what they exclude; only named when nothing else would do
  public String of(PlatformOffers allowed, PlatformOffers excluded) {
    String text = of(allowed);
    if (!text.isEmpty()) {
      return text;
    }
    String other = of(excluded);
    return other.isEmpty() ? NOTHING : other + EXCLUDED;
  }

  /// For an image without a pod, or a pod without rules about nodes.
  public String ofAll(PlatformOffers offers) {
    String text = of(offers);
    return text.isEmpty() ? NOTHING : text;
  }

  private String of(PlatformOffers offers) {
    Map<String, List<PlatformOffer>> running = offers.running(this::runsAll);
    List<PlatformOffer> plain = running.remove("");
    List<String> texts = new ArrayList<>();
    running.values().stream()
        .sorted(
            Comparator.<List<PlatformOffer>>comparingInt(all -> -nodes(all).count())
                .thenComparing(all -> all.getFirst().className()))
        .limit(MOST_NAMED)
        .forEach(
            all ->
                texts.add(
                    "RuntimeClass %s on %s could run %s"
                        .formatted(all.getFirst().className(), nodes(all), entries(all))));
    if (plain != null) {
      texts.add("%s could run %s".formatted(nodes(plain), entries(plain)));
    }
    return String.join("; ", texts);
  }

  private boolean runsAll(TargetPlatform target) {
    PlatformMatcher matcher = matcher(target);
    return images.stream().allMatch(image -> image.stream().anyMatch(matcher::isRunnable));
  }

  private PlatformMatcher matcher(TargetPlatform target) {
    return matchers.computeIfAbsent(target, PlatformMatcher::new);
  }

  private static NodeNames nodes(List<PlatformOffer> offers) {
    return offers.stream().map(PlatformOffer::nodes).reduce(NodeNames::with).orElseThrow();
  }

  private String entries(List<PlatformOffer> offers) {
    Set<String> entries = new LinkedHashSet<>();
    for (PlatformOffer offer : offers) {
      for (TargetPlatform target : offer.targets()) {
        matcher(target)
            .choose(subject, platform -> platform)
            .map(ImageRemedy::text)
            .ifPresent(entries::add);
      }
    }
    int more = entries.size() - MOST_NAMED;
    return String.join(", ", entries.stream().limit(MOST_NAMED).toList())
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  /// Windows entries of an image differ in their versions, others in their platforms.
  private static String text(ImagePlatform platform) {
    Optional<WindowsVersion> version =
        platform.isWindows() ? WindowsVersion.parse(platform.osVersion()) : Optional.empty();
    return version.map(WindowsVersion::label).orElse(platform.toString());
  }
}
