package dev.berth.agent.runtimes;

import dev.berth.cri.v1.Image;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// An image that a service listed.
///
/// @param handlers for which it is, as the runtime or the agent's records say; empty when it is for
///   every handler, and for the default one of a runtime that reports handlers
public record ListedImage(Image image, List<HandlerImage> handlers) {
  public ListedImage {
    handlers = List.copyOf(handlers);
  }

  /// @param known by the digests of manifests
  static ListedImage of(Image image, Map<String, List<HandlerImage>> known) {
    String reported = ImageAnnotations.handler(image.getSpec());
    if (!reported.isEmpty()) {
      return new ListedImage(
          image, names(image).stream().map(name -> new HandlerImage(name, reported)).toList());
    }
    Stream<String> digests =
        image.getRepoDigestsList().stream().map(name -> name.substring(name.indexOf('@') + 1));
    return new ListedImage(
        image,
        Stream.concat(digests, Stream.of(image.getId()))
            .distinct()
            .flatMap(digest -> known.getOrDefault(digest, List.of()).stream())
            .distinct()
            .toList());
  }

  /// Tags, or digests where there are none, or the id of an image without names.
  private static List<String> names(Image image) {
    if (image.getRepoTagsCount() > 0) {
      return image.getRepoTagsList();
    }
    return image.getRepoDigestsCount() > 0 ? image.getRepoDigestsList() : List.of(image.getId());
  }
}
