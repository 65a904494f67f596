package dev.berth.agent.images;

import dev.berth.agent.images.EntryResolver.ResolvedEntry;
import dev.berth.agent.images.access.PullRecords;
import dev.berth.agent.images.access.SecretUse;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriErrorName;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.PlatformMismatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// Makes sure that images are where containers are made of them.
///
/// An image is known by its service, its name and the handler that it is for. Every image service
/// has a limit of its own, so that one that hangs does not hold up others, and pulls that take long
/// no longer count; an interrupt gives a pull up.
public final class ImagePuller {
  private final PullLimits limits;
  private final InstantSource clock;
  private final PresentImages present;
  private final PullRecords records;
  private final HandlerEntries entries;
  private final EntryResolver resolver;
  private final MismatchAdvice advice;
  private final Measure measure;

  /// Gets the duration and size of every pull.
  public interface Measure {
    void pulled(Duration took, long bytes);
  }

  /// Pulls nothing yet.
  public ImagePuller(
      PullSettings settings,
      InstantSource clock,
      DelayedActions delays,
      ImageMemory memory,
      Measure measure) {
    this.limits = new PullLimits(settings.parallel(), delays);
    this.clock = clock;
    this.records = memory.pulls();
    this.entries = memory.entries();
    this.present = new PresentImages(entries);
    this.resolver = settings.resolver();
    this.advice = settings.advice();
    this.measure = measure;
  }

  /// The image, pulled if its policy wants that, or if the pod has yet to prove its access.
  ///
  /// @throws PullException when it is not there and cannot be got
  public ImageDescription ensure(ImageService service, ImageRequest request, PullListener listener)
      throws InterruptedException {
    if (ImageReference.parse(request.image()).isEmpty()) {
      throw PullException.local(
          "InvalidImageName",
          "Failed to apply default image tag \"%s\": couldn't parse image name: invalid reference format"
              .formatted(request.image()),
          null);
    }
    if (request.policy().equals("Always")) {
      return pull(service, request, listener);
    }
    Optional<Image> found = present.find(service, request);
    if (found.isPresent() && isAllowed(service, request, found.get())) {
      listener.present(request.image());
      return description(found.get(), found.get().getId());
    }
    if (request.policy().equals("Never")) {
      throw PullException.local(
          "ErrImageNeverPull",
          found.isPresent()
              ? "Container image \"%s\" is present with pull policy of Never but does not have the proper auth (image secret) that was used to pull the image"
                  .formatted(request.image())
              : "Container image \"%s\" is not present with pull policy of Never"
                  .formatted(request.image()),
          null);
    }
    return pull(service, request, listener);
  }

  /// The image, when it is there, the pod may use it, and its policy does not want it pulled all
  /// the same.
  public Optional<ImageDescription> find(
      ImageService service, ImageRequest request, PullListener listener) {
    if (request.policy().equals("Always")) {
      return Optional.empty();
    }
    Optional<Image> found =
        present.find(service, request).filter(image -> isAllowed(service, request, image));
    found.ifPresent(_ -> listener.present(request.image()));
    return found.map(image -> description(image, image.getId()));
  }

  private boolean isAllowed(ImageService service, ImageRequest request, Image image) {
    List<SecretUse> secrets =
        request.credentials().stream().flatMap(one -> one.use().stream()).toList();
    return !records.mustPull(service.key(), image.getId(), request.repository(), secrets);
  }

  private ImageDescription pull(ImageService service, ImageRequest request, PullListener listener)
      throws InterruptedException {
    listener.pulling(request.image());
    Instant asked = clock.instant();
    try (PullLimiter.Place _ = limits.of(service.endpoint()).take()) {
      Instant begun = clock.instant();
      PulledEntry pulled = advised(service, request);
      Instant now = clock.instant();
      Duration took = Duration.between(begun, now);
      measure.pulled(took, pulled.image().getSize());
      listener.pulled(
          request.image(), took, Duration.between(asked, now), pulled.image().getSize());
      return description(pulled.image(), pulled.reference());
    }
  }

  /// The message of an image that does not run here says where it would.
  private PulledEntry advised(ImageService service, ImageRequest request)
      throws InterruptedException {
    try {
      return record(service, request);
    } catch (PullException e) {
      PlatformMismatch mismatch = e.mismatch().orElseThrow(() -> e);
      throw new PullException(e.reason(), advice.describe(mismatch), e);
    }
  }

  /// An image that is there now.
  ///
  /// @param reference as the service answered the pull
  /// @param used null for a pull without credentials
  private record PulledEntry(Image image, String reference, @Nullable PullCredentials used) {}

  /// Writes down who pulled what, also when the agent is killed in between.
  private PulledEntry record(ImageService service, ImageRequest request)
      throws InterruptedException {
    String repository = request.repository();
    records.begin(service.key(), repository);
    boolean ended = false;
    try {
      PulledEntry pulled =
          request.target().isChosenByAgent()
              ? pullEntry(service, request)
              : pullName(service, request);
      SecretUse use = pulled.used() == null ? null : pulled.used().use().orElse(SecretUse.UNKNOWN);
      records.succeeded(service.key(), pulled.image().getId(), repository, use);
      ended = true;
      return pulled;
    } finally {
      if (!ended) {
        records.failed(service.key(), repository);
      }
    }
  }

  private PulledEntry pullName(ImageService service, ImageRequest request)
      throws InterruptedException {
    try {
      return attempts(service, request, request.spec());
    } catch (PullException e) {
      if (!isMismatch(String.valueOf(e.getMessage()))) {
        throw e;
      }
      PlatformMismatch mismatch = resolver.mismatch(request).orElseThrow(() -> e);
      throw new PullException(mismatch, e);
    }
  }

  /// Runtimes do not say what an image has: containerd and, in two spellings, CRI-O.
  private static boolean isMismatch(String failure) {
    return failure.contains("no match for platform in manifest")
        || failure.contains("no image found in manifest list for")
        || failure.contains("no image found in image index for");
  }

  /// The runtime would take the entry for its host; the digest leaves it no choice, and no tag of
  /// another handler moves. That the registry answered proves the access of a pod to an entry that
  /// is there already.
  private PulledEntry pullEntry(ImageService service, ImageRequest request)
      throws InterruptedException {
    ResolvedEntry entry = resolver.resolve(request);
    ImageSpec spec = request.spec(entry.digest());
    Optional<Image> there = PresentImages.status(service, spec);
    PulledEntry pulled =
        there.isPresent()
            ? new PulledEntry(there.get(), there.get().getId(), entry.used())
            : attempts(service, request, spec);
    PresentImages.checkPlatform(service, request, spec);
    entries.put(service.key(), request.image(), request.target().handler(), entry.digest());
    return pulled;
  }

  private static PulledEntry attempts(ImageService service, ImageRequest request, ImageSpec spec) {
    List<@Nullable PullCredentials> tries =
        request.credentials().isEmpty()
            ? java.util.Collections.singletonList(null)
            : List.copyOf(request.credentials());
    CriException last = null;
    for (PullCredentials one : tries) {
      try {
        AuthConfig auth = one == null ? AuthConfig.getDefaultInstance() : one.message();
        String reference = service.client().pullImage(spec, auth, request.sandbox());
        return new PulledEntry(afterPull(service, spec, reference), reference, one);
      } catch (CriException e) {
        if (e.isCancelled()) {
          throw e;
        }
        last = e;
      }
    }
    throw failed(Objects.requireNonNull(last));
  }

  /// Some services know an image they pulled only by the name it was pulled with.
  private static Image afterPull(ImageService service, ImageSpec spec, String reference) {
    return PresentImages.status(service, spec.toBuilder().setImage(reference).build())
        .or(() -> PresentImages.status(service, spec))
        .orElseGet(() -> Image.newBuilder().setId(reference).build());
  }

  private static PullException failed(CriException failure) {
    return new PullException(
        failure.errorName().map(CriErrorName::reason).orElse("ErrImagePull"),
        failure.rpcError(),
        failure);
  }

  private static ImageDescription description(Image image, String reference) {
    return new ImageDescription(
        image.getId().isEmpty() ? reference : image.getId(),
        image.hasUid() ? image.getUid().getValue() : null,
        image.getUsername());
  }

  /// One limiter for each image service.
  private static final class PullLimits {
    private final int parallel;
    private final DelayedActions delays;
    private final ConcurrentMap<CriEndpoint, PullLimiter> limiters = new ConcurrentHashMap<>();

    PullLimits(int parallel, DelayedActions delays) {
      this.parallel = parallel;
      this.delays = delays;
    }

    PullLimiter of(CriEndpoint endpoint) {
      return limiters.computeIfAbsent(endpoint, _ -> new PullLimiter(parallel, delays));
    }
  }
}
