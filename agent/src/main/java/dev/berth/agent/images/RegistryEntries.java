package dev.berth.agent.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryException;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.TargetPlatform;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Asks registries with the secrets of the pod that pulls.
public final class RegistryEntries implements EntryResolver {
  /// For one document of a few kilobytes.
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final RegistryClient client;

  public RegistryEntries(RegistryClient client) {
    this.client = client;
  }

  @Override
  public ResolvedEntry resolve(
      String image, TargetPlatform platform, List<PullCredentials> credentials)
      throws InterruptedException {
    ImageReference reference =
        ImageReference.parse(image)
            .orElseThrow(
                () ->
                    PullException.local(
                        "InvalidImageName", "image name %s is not valid".formatted(image), null));
    List<@Nullable PullCredentials> tries =
        credentials.isEmpty() ? Collections.singletonList(null) : List.copyOf(credentials);
    RegistryException last = null;
    // One by one, because the record of the pull names the secret that was accepted.
    for (PullCredentials one : tries) {
      var shown = one == null ? List.<RegistryCredentials>of() : List.of(one.forRegistry());
      var request = new dev.berth.registry.ImageRequest(reference, shown, LIMIT);
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
    return new PullException(reason, String.valueOf(e.getMessage()), e);
  }
}
