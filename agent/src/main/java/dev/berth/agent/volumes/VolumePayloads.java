package dev.berth.agent.volumes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which files a volume holds, from what the API says at the moment.
final class VolumePayloads {
  private static final int STANDARD_MODE = 0644;
  private static final int PRIVATE_MODE = 0600;
  private static final long STANDARD_TOKEN_SECONDS = 3600;

  private final VolumeSources sources;
  private final DownwardValues downward;
  private final ServiceAccountTokens tokens;

  VolumePayloads(VolumeSources sources, DownwardValues downward, ServiceAccountTokens tokens) {
    this.sources = sources;
    this.downward = downward;
    this.tokens = tokens;
  }

  /// The same, for a thread that looks at many pods now.
  VolumePayloads ofARound() {
    return new VolumePayloads(new RoundSources(sources), downward, tokens);
  }

  /// All files of a volume by their paths.
  ///
  /// @throws VolumeException when something that is needed is not there
  SortedMap<String, FileContent> of(Pod pod, Volume volume, VolumeType type) {
    var files = new TreeMap<String, FileContent>();
    switch (type) {
      case CONFIG_MAP -> {
        var source = volume.getConfigMap();
        var from =
            new Source("configmap", source.getName(), source.getItems(), source.getOptional());
        addAll(files, pod, from, mode(source.getDefaultMode(), STANDARD_MODE));
      }
      case SECRET -> {
        var source = volume.getSecret();
        var from =
            new Source("secret", source.getSecretName(), source.getItems(), source.getOptional());
        addAll(files, pod, from, mode(source.getDefaultMode(), STANDARD_MODE));
      }
      case DOWNWARD_API -> {
        var source = volume.getDownwardAPI();
        addFields(files, pod, source.getItems(), mode(source.getDefaultMode(), STANDARD_MODE));
      }
      case PROJECTED -> {
        var source = volume.getProjected();
        int mode = mode(source.getDefaultMode(), STANDARD_MODE);
        addProjections(files, pod, source.getSources(), mode);
      }
      case EMPTY_DIR, HOST_PATH -> throw new IllegalArgumentException(type.toString());
    }
    return files;
  }

  /// All mistakes at once: who corrects one of them should not have to wait for the next.
  private void addProjections(
      SortedMap<String, FileContent> files, Pod pod, List<VolumeProjection> all, int mode) {
    List<String> mistakes = new ArrayList<>();
    for (VolumeProjection one : all) {
      try {
        addProjected(files, pod, one, mode);
      } catch (VolumeException e) {
        mistakes.add(String.valueOf(e.getMessage()));
      }
    }
    if (!mistakes.isEmpty()) {
      throw missing(String.join(", ", mistakes));
    }
  }

  private void addProjected(
      SortedMap<String, FileContent> files, Pod pod, VolumeProjection one, int mode) {
    if (one.getConfigMap() != null) {
      var map = one.getConfigMap();
      addAll(
          files,
          pod,
          new Source("configmap", map.getName(), map.getItems(), map.getOptional()),
          mode);
    } else if (one.getSecret() != null) {
      var secret = one.getSecret();
      addAll(
          files,
          pod,
          new Source("secret", secret.getName(), secret.getItems(), secret.getOptional()),
          mode);
    } else if (one.getDownwardAPI() != null) {
      addFields(files, pod, one.getDownwardAPI().getItems(), mode);
    } else if (one.getServiceAccountToken() != null) {
      addToken(files, pod, one.getServiceAccountToken(), mode);
    } else {
      throw missing("one of its projected sources is of a type that the agent does not serve");
    }
  }

  /// A ConfigMap or Secret, and what of it is wanted.
  ///
  /// @param items all of it when empty
  private record Source(
      String kind, String name, List<KeyToPath> items, @Nullable Boolean optional) {
    boolean isOptional() {
      return Boolean.TRUE.equals(optional);
    }
  }

  private void addAll(SortedMap<String, FileContent> files, Pod pod, Source source, int mode) {
    String namespace = pod.getMetadata().getNamespace();
    Optional<Map<String, byte[]>> found =
        source.kind().equals("secret")
            ? sources.secret(namespace, source.name())
            : sources.configMap(namespace, source.name());
    if (found.isEmpty() && !source.isOptional()) {
      throw missing("%s \"%s\" not found".formatted(source.kind(), source.name()));
    }
    Map<String, byte[]> data = found.orElse(Map.of());
    if (source.items().isEmpty()) {
      data.forEach((key, bytes) -> files.put(key, FileContent.of(bytes, mode)));
      return;
    }
    for (KeyToPath item : source.items()) {
      byte[] bytes = data.get(item.getKey());
      if (bytes != null) {
        files.put(safe(item.getPath()), FileContent.of(bytes, mode(item.getMode(), mode)));
      } else if (!source.isOptional()) {
        throw missing(
            "references non-existent %s key: %s (%s \"%s\" has %s)"
                .formatted(
                    source.kind().equals("secret") ? "secret" : "config",
                    item.getKey(),
                    source.kind(),
                    source.name(),
                    data.keySet().stream().sorted().toList()));
      }
    }
  }

  private void addFields(
      SortedMap<String, FileContent> files, Pod pod, List<DownwardAPIVolumeFile> items, int mode) {
    for (DownwardAPIVolumeFile item : items) {
      String text =
          item.getFieldRef() != null
              ? downward.field(pod, item.getFieldRef().getFieldPath())
              : downward.resource(pod, item.getResourceFieldRef());
      files.put(
          safe(item.getPath()), FileContent.of(text.getBytes(UTF_8), mode(item.getMode(), mode)));
    }
  }

  private void addToken(
      SortedMap<String, FileContent> files,
      Pod pod,
      ServiceAccountTokenProjection projection,
      int mode) {
    String audience = Objects.requireNonNullElse(projection.getAudience(), "");
    long seconds =
        Objects.requireNonNullElse(projection.getExpirationSeconds(), STANDARD_TOKEN_SECONDS);
    String token = tokens.get(pod, audience, seconds);
    // Whoever may read it by its owner or group needs no more.
    int own = VolumeOwner.of(pod).isNobody() ? mode : PRIVATE_MODE;
    files.put(safe(projection.getPath()), FileContent.of(token.getBytes(UTF_8), own));
  }

  private static int mode(@Nullable Integer wanted, int standard) {
    return wanted == null ? standard : wanted;
  }

  /// The API refuses other paths; this is the last place where it matters.
  private static String safe(String path) {
    if (path.startsWith("/") || List.of(path.split("/", -1)).contains("..")) {
      throw missing("path \"%s\" leaves the volume".formatted(path));
    }
    return path;
  }

  private static VolumeException missing(String why) {
    return new VolumeException(why);
  }
}
