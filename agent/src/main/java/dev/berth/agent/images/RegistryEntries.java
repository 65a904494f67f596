package dev.berth.agent.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryException;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.FailureKind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks registries with the secrets of the pod that pulls.
public final class RegistryEntries implements EntryResolver {
  /// For one document of a few kilobytes.
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /// The runtime was just answered; a node that reaches registries by its runtime alone must not
  /// wait for a better message.
  private static final Duration MISMATCH_LIMIT = Duration.ofSeconds(5);

  /// Many pods of one image start within a minute, for several handlers: one question answers them
  /// all, which is what registries with limits count. A tag that moves is seen a minute later, as
  /// by admission; the pull policy `Always` sees it at once.
  private static final Duration TAG_LIFETIME = Duration.ofMinutes(1);

  /// How an agent reaches registries without mirrors, proxies and authorities of its own.
  public static final RegistrySettings SETTINGS = settings(RegistrySettings.USUAL);

  private final RegistryClient client;

  public RegistryEntries(RegistryClient client) {
    this.client = client;
  }

  /// How an agent reaches registries, as its administrator configures it.
  public static RegistrySettings settings(RegistrySettings configured) {
    return configured.withTagLifetime(TAG_LIFETIME);
  }

  @Override
  public ResolvedEntry resolve(ImageRequest wanted) throws InterruptedException {
    TargetPlatform platform = wanted.target().platform();
    ImageReference reference =
        ImageReference.parse(wanted.image())
            .orElseThrow(
                () ->
                    PullException.local(
                        "InvalidImageName",
                        "image name %s is not valid".formatted(wanted.image()),
                        null));
    List<@Nullable PullCredentials> tries =
        wanted.credentials().isEmpty()
            ? Collections.singletonList(null)
            : List.copyOf(wanted.credentials());
    RegistryException last = null;
    // One by one, because the record of the pull names the secret that was accepted.
    for (PullCredentials one : tries) {
      var shown = one == null ? List.<RegistryCredentials>of() : List.of(one.forRegistry());
      var request =
          new dev.berth.registry.ImageRequest(reference, shown, LIMIT, isTagFresh(wanted));
      try {
        return new ResolvedEntry(client.locate(request, platform).entry().digest(), one);
      } catch (RegistryException e) {
        last = e;
        if (!mayBeTheCredentials(e)) {
          break;
        }
      }
    }
    throw failed(Objects.requireNonNull(last));
  }

  private static boolean isTagFresh(ImageRequest wanted) {
    return wanted.policy().equals("Always");
  }

  @Override
  public Optional<PlatformMismatch> mismatch(ImageRequest wanted) throws InterruptedException {
    Optional<ImageReference> reference = ImageReference.parse(wanted.image());
    if (reference.isEmpty()) {
      return Optional.empty();
    }
    List<RegistryCredentials> credentials =
        wanted.credentials().stream().map(PullCredentials::forRegistry).toList();
    try {
      client.locate(
          new dev.berth.registry.ImageRequest(
              reference.get(), credentials, MISMATCH_LIMIT, isTagFresh(wanted)),
          wanted.target().platform());
      return Optional.empty();
    } catch (RegistryException e) {
      if (e.kind() == FailureKind.CANCELLED) {
        throw new InterruptedException();
      }
      return e.mismatch();
    }
  }

  /// Registries hide private images behind any of these.
  private static boolean mayBeTheCredentials(RegistryException e) {
    return switch (e.kind()) {
      case UNAUTHORIZED, FORBIDDEN, NOT_FOUND -> true;
      default -> false;
    };
  }

  /// With the kubelet's reasons.
  private static PullException failed(RegistryException e) throws InterruptedException {
    String reason =
        switch (e.kind()) {
          case CANCELLED -> throw new InterruptedException();
          case UNREACHABLE, TIMED_OUT, SERVER_ERROR, RATE_LIMITED -> "RegistryUnavailable";
          default -> "ErrImagePull";
        };
    return e.mismatch()
        .map(mismatch -> new PullException(mismatch, e))
        .orElseGet(() -> new PullException(reason, String.valueOf(e.getMessage()), e));
  }
}
