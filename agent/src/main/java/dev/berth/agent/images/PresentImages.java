package dev.berth.agent.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusResponse;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.List;
import java.util.Optional;

/// Finds images that a service has, each for the handler that asks.
final class PresentImages {
  private static final JsonMapper JSON = new JsonMapper();

  private final HandlerEntries entries;

  PresentImages(HandlerEntries entries) {
    this.entries = entries;
  }

  /// @throws PullException when the service does not say
  Optional<Image> find(ImageService service, ImageRequest request) {
    try {
      return request.target().isChosenByAgent()
          ? entry(service, request)
          : status(service, request.spec());
    } catch (CriException e) {
      if (e.isCancelled()) {
        throw e;
      }
      throw PullException.local(
          "ImageInspectError",
          "Failed to inspect image \"%s\": %s".formatted(request.image(), e.rpcError()),
          e);
    }
  }

  /// The entry that the handler got before, or what stands under the name if that is for the
  /// handler's platform: somebody may have loaded it.
  private Optional<Image> entry(ImageService service, ImageRequest request) {
    return entries
        .digest(service.key(), request.image(), request.target().handler())
        .flatMap(digest -> status(service, request.spec(digest)))
        .or(() -> loaded(service, request));
  }

  private static Optional<Image> loaded(ImageService service, ImageRequest request) {
    ImageStatusResponse answer = service.client().imageStatus(request.spec(), true);
    PlatformMatcher matcher = new PlatformMatcher(request.target().platform());
    return present(answer).filter(_ -> platform(answer).filter(matcher::isRunnable).isPresent());
  }

  /// An image without an index is pulled unseen, which saves a request; the service knows then what
  /// it is for.
  ///
  /// @throws PullException when it is for another platform than the handler's
  static void checkPlatform(ImageService service, ImageRequest request, ImageSpec pulled) {
    TargetPlatform wanted = request.target().platform();
    Optional<ImagePlatform> found = platform(service.client().imageStatus(pulled, true));
    if (found.isPresent() && !new PlatformMatcher(wanted).isRunnable(found.get())) {
      PlatformMismatch mismatch =
          new PlatformMismatch(request.image(), wanted, List.of(found.get().toString()));
      throw new PullException(mismatch, null);
    }
  }

  static Optional<Image> status(ImageService service, ImageSpec spec) {
    return present(service.client().imageStatus(spec, false));
  }

  private static Optional<Image> present(ImageStatusResponse answer) {
    return answer.hasImage() && !answer.getImage().getId().isEmpty()
        ? Optional.of(answer.getImage())
        : Optional.empty();
  }

  /// containerd shows the image's configuration when it is asked to be verbose.
  private static Optional<ImagePlatform> platform(ImageStatusResponse answer) {
    try {
      JsonNode config = JSON.readTree(answer.getInfoOrDefault("info", "{}")).path("imageSpec");
      return config.path("architecture").asText().isEmpty()
          ? Optional.empty()
          : Optional.of(
              new ImagePlatform(
                  config.path("os").asText(),
                  config.path("architecture").asText(),
                  config.path("variant").asText(),
                  config.path("os.version").asText()));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
