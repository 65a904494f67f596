package dev.berth.registry.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The platforms of a pod's images, which an annotation carries from admission to the scheduler.
///
/// It only excludes nodes, so a user who forges it keeps no pod but the own one waiting.
public final class PodImagePlatforms {
  /// A JSON object: the platforms of each image, such as `{"web:1":["linux/amd64"]}`.
  public static final String ANNOTATION = "berth.dev/image-platforms";

  public static final PodImagePlatforms NONE = new PodImagePlatforms("");

  /// Longer annotations are not read, and images that do not fit in are left out: they exclude no
  /// node.
  static final int MOST_CHARACTERS = 16 * 1024;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final String text;

  /// Read at the first question and then kept: most copies of a pod are never asked. Threads that
  /// race read the same.
  private volatile @Nullable List<KnownImage> images;

  /// @param texts the platforms as the index has them
  /// @param platforms those of the texts that a node could have
  private record KnownImage(String name, List<String> texts, List<ImagePlatform> platforms) {
    boolean runsOn(TargetPlatform target) {
      return new PlatformMatcher(target).choose(platforms, platform -> platform).isPresent();
    }
  }

  private PodImagePlatforms(String text) {
    this.text = text;
  }

  /// Reads the annotations of a pod; text that is not as admission writes it excludes no node.
  public static PodImagePlatforms of(JsonNode annotations) {
    String text = annotations.path(ANNOTATION).asText("");
    return text.isEmpty() || text.length() > MOST_CHARACTERS ? NONE : new PodImagePlatforms(text);
  }

  /// The text for images; empty when they exclude no node. An image with an entry for an unknown
  /// platform may run anywhere.
  public static String write(List<ImageEntries> images) {
    ObjectNode tree = MAPPER.createObjectNode();
    int length = 2;
    for (ImageEntries image : images) {
      Set<String> platforms = new LinkedHashSet<>();
      boolean isAnywhere = false;
      for (IndexEntry entry : image.index().manifests()) {
        entry.platformIfKnown().map(ImagePlatform::describe).ifPresent(platforms::add);
        isAnywhere |= entry.platformIfKnown().isEmpty();
      }
      int needed = image.image().length() + 6;
      for (String platform : platforms) {
        needed += platform.length() + 3;
      }
      if (!isAnywhere && length + needed <= MOST_CHARACTERS) {
        length += needed;
        platforms.forEach(tree.putArray(image.image())::add);
      }
    }
    return tree.isEmpty() ? "" : tree.toString();
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  /// Why a handler of a node does not run all images; empty when it does, or when nobody knows what
  /// the handler runs.
  public Optional<PlatformMismatch> mismatch(HandlerPlatforms node, String handler) {
    List<TargetPlatform> targets = isEmpty() ? List.of() : node.ofPod(handler);
    for (KnownImage image : images()) {
      for (TargetPlatform target : targets) {
        if (!image.runsOn(target)) {
          return Optional.of(new PlatformMismatch(image.name(), target, image.texts()));
        }
      }
    }
    return Optional.empty();
  }

  /// Whether nobody knows what the handler of a node runs.
  public static boolean isUnknown(HandlerPlatforms node, String handler) {
    return node.ofPod(handler).isEmpty();
  }

  /// The platforms of each image that a node could have.
  public List<List<ImagePlatform>> platforms() {
    return images().stream().map(KnownImage::platforms).toList();
  }

  private List<KnownImage> images() {
    List<KnownImage> known = images;
    if (known == null) {
      known = parse(text);
      images = known;
    }
    return known;
  }

  private static List<KnownImage> parse(String text) {
    List<KnownImage> images = new ArrayList<>();
    try {
      JsonNode tree = MAPPER.readTree(text);
      for (var image : tree.properties()) {
        List<String> texts = new ArrayList<>();
        List<ImagePlatform> platforms = new ArrayList<>();
        for (JsonNode one : image.getValue()) {
          texts.add(one.asText());
          ImagePlatform.parseWithVersion(one.asText().toLowerCase(Locale.ROOT))
              .ifPresent(platforms::add);
        }
        images.add(new KnownImage(image.getKey(), List.copyOf(texts), List.copyOf(platforms)));
      }
    } catch (JsonProcessingException _) {
      return List.of();
    }
    return List.copyOf(images);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PodImagePlatforms same && same.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
