package dev.berth.agent.images;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriErrorName;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Makes sure that images are where containers are made of them.
///
/// Every image service has a limit of its own, so that one that hangs does not hold up others, and
/// pulls that take long no longer count; an interrupt gives a pull up.
public final class ImagePuller {
  private final int parallel;
  private final InstantSource clock;
  private final DelayedActions delays;
  private final Measure measure;
  private final ConcurrentMap<CriEndpoint, PullLimiter> places = new ConcurrentHashMap<>();

  /// Told of every image that was pulled.
  public interface Measure {
    void pulled(Duration took, long bytes);
  }

  /// Pulls nothing yet.
  ///
  /// @param parallel how many images a service pulls at a time
  public ImagePuller(int parallel, InstantSource clock, DelayedActions delays, Measure measure) {
    this.parallel = parallel;
    this.clock = clock;
    this.delays = delays;
    this.measure = measure;
  }

  /// The image, pulled if its policy wants that.
  ///
  /// @throws PullException when it is not there and cannot be got
  public ImageDescription ensure(ImageService service, ImageRequest request, PullListener listener)
      throws InterruptedException {
    if (!ImageName.isValid(request.image())) {
      throw new PullException(
          "InvalidImageName",
          "Failed to apply default image tag \"%s\": couldn't parse image name: invalid reference format"
              .formatted(request.image()));
    }
    Optional<ImageDescription> present = find(service, request, listener);
    if (present.isPresent()) {
      return present.get();
    }
    if (request.policy().equals("Never")) {
      throw new PullException(
          "ErrImageNeverPull",
          "Container image \"%s\" is not present with pull policy of Never"
              .formatted(request.image()));
    }
    return pull(service, request, listener);
  }

  /// The image, when it is there and its policy does not want it pulled all the same.
  public Optional<ImageDescription> find(
      ImageService service, ImageRequest request, PullListener listener) {
    if (request.policy().equals("Always")) {
      return Optional.empty();
    }
    Optional<ImageDescription> present = find(service, request);
    present.ifPresent(_ -> listener.present(request.image()));
    return present;
  }

  private ImageDescription pull(ImageService service, ImageRequest request, PullListener listener)
      throws InterruptedException {
    listener.pulling(request.image());
    Instant asked = clock.instant();
    PullLimiter ofService =
        places.computeIfAbsent(service.endpoint(), _ -> new PullLimiter(parallel, delays));
    try (PullLimiter.Place _ = ofService.take()) {
      Instant begun = clock.instant();
      String reference = attempts(service, request);
      ImageSpec pulled = request.spec().toBuilder().setImage(reference).build();
      Image image = status(service, pulled).orElseGet(() -> fallback(service, request, reference));
      Instant now = clock.instant();
      Duration took = Duration.between(begun, now);
      measure.pulled(took, image.getSize());
      listener.pulled(request.image(), took, Duration.between(asked, now), image.getSize());
      return facts(image, reference);
    }
  }

  /// Some services know an image they pulled only by the name it was pulled with.
  private static Image fallback(ImageService service, ImageRequest request, String reference) {
    return status(service, request.spec())
        .orElseGet(() -> Image.newBuilder().setId(reference).build());
  }

  private static String attempts(ImageService service, ImageRequest request) {
    List<AuthConfig> auths =
        request.credentials().isEmpty()
            ? List.of(AuthConfig.getDefaultInstance())
            : request.credentials().stream().map(PullCredentials::message).toList();
    CriException last = null;
    for (AuthConfig auth : auths) {
      try {
        return service.client().pullImage(request.spec(), auth, request.sandbox());
      } catch (CriException e) {
        if (e.isCancelled()) {
          throw e;
        }
        last = e;
      }
    }
    throw failed(last);
  }

  private static PullException failed(@org.jspecify.annotations.Nullable CriException failure) {
    CriException cause = java.util.Objects.requireNonNull(failure);
    return new PullException(
        cause.errorName().map(CriErrorName::reason).orElse("ErrImagePull"),
        cause.rpcError(),
        cause);
  }

  private static Optional<ImageDescription> find(ImageService service, ImageRequest request) {
    try {
      return status(service, request.spec()).map(image -> facts(image, image.getId()));
    } catch (CriException e) {
      if (e.isCancelled()) {
        throw e;
      }
      throw new PullException(
          "ImageInspectError",
          "Failed to inspect image \"%s\": %s".formatted(request.image(), e.rpcError()),
          e);
    }
  }

  private static Optional<Image> status(ImageService service, ImageSpec spec) {
    var answer = service.client().imageStatus(spec, false);
    return answer.hasImage() && !answer.getImage().getId().isEmpty()
        ? Optional.of(answer.getImage())
        : Optional.empty();
  }

  private static ImageDescription facts(Image image, String reference) {
    return new ImageDescription(
        image.getId().isEmpty() ? reference : image.getId(),
        image.hasUid() ? image.getUid().getValue() : null,
        image.getUsername());
  }
}
