package dev.berth.agent.images;

import dev.berth.agent.images.access.SecretUse;
import dev.berth.registry.ImageReference;
import dev.berth.registry.credentials.DockerConfig;
import dev.berth.registry.credentials.DockerConfig.ServerCredentials;
import dev.berth.registry.credentials.RegistryCredentials;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the credentials for an image in secrets of the types `dockerconfigjson` and `dockercfg`,
/// by the rules of `registry.credentials`; the most special registry first.
public final class PullSecrets {
  private static final Comparator<FoundCredentials> MOST_SPECIAL_FIRST =
      Comparator.comparing(FoundCredentials::found, ServerCredentials.MOST_SPECIAL_FIRST);

  private record FoundCredentials(Secret secret, ServerCredentials found) {
    PullCredentials forPull() {
      RegistryCredentials credentials = found.credentials();
      return new PullCredentials(
          found.server(),
          credentials.username(),
          credentials.password(),
          credentials.identityToken(),
          use(secret, credentials));
    }
  }

  private PullSecrets() {}

  public static List<PullCredentials> find(String image, List<Secret> secrets) {
    String repository = ImageReference.repositoryOf(image);
    return secrets.stream()
        .flatMap(
            secret ->
                configs(secret)
                    .flatMap(config -> config.find(repository).stream())
                    .map(found -> new FoundCredentials(secret, found)))
        .sorted(MOST_SPECIAL_FIRST)
        .map(FoundCredentials::forPull)
        .toList();
  }

  private static Stream<DockerConfig> configs(Secret secret) {
    Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
    return Stream.of(".dockerconfigjson", ".dockercfg")
        .flatMap(key -> parse(data.get(key)).stream());
  }

  /// A secret that cannot be read is somebody else's mistake: the pull fails without it and says
  /// that it was not allowed.
  private static Optional<DockerConfig> parse(@Nullable String base64) {
    try {
      return base64 == null
          ? Optional.empty()
          : DockerConfig.parse(
              new String(Base64.getDecoder().decode(base64.strip()), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// The credentials themselves are never stored, only their hash.
  private static SecretUse use(Secret secret, RegistryCredentials credentials) {
    ObjectMeta meta = Objects.requireNonNullElseGet(secret.getMetadata(), ObjectMeta::new);
    return new SecretUse(
        Objects.requireNonNullElse(meta.getNamespace(), ""),
        Objects.requireNonNullElse(meta.getName(), ""),
        Objects.requireNonNullElse(meta.getUid(), ""),
        hash(
            String.join(
                "\0",
                credentials.username(),
                credentials.password(),
                credentials.identityToken())));
  }

  private static String hash(String credentials) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(credentials.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
