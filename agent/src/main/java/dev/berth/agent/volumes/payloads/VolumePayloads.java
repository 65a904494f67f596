package dev.berth.agent.volumes.payloads;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.volumes.VolumeException;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Builds the files of volumes from what the API server has now.
public final class VolumePayloads {
  /// Kubernetes' `defaultMode`.
  private static final int STANDARD_MODE = 0644;

  /// Tokens are readable by their owner alone where no `fsGroup` shares them, as with the kubelet.
  private static final int PRIVATE_MODE = 0600;

  /// Kubernetes' default of `expirationSeconds`.
  private static final long STANDARD_TOKEN_SECONDS = 3600;

  private final VolumeSources sources;
  private final DownwardValues downward;
  private final ServiceAccountTokens tokens;

  public VolumePayloads(
      VolumeSources sources, DownwardValues downward, ServiceAccountTokens tokens) {
    this.sources = sources;
    this.downward = downward;
    this.tokens = tokens;
  }

  /// The same for one round over many pods, which reads each source once.
  public VolumePayloads ofARound() {
    return new VolumePayloads(new RoundSources(sources), downward, tokens);
  }

  /// The mode of files for which neither the volume nor an item says one.
  public static int modeOf(@Nullable Integer wanted) {
    return mode(wanted, STANDARD_MODE);
  }

  public void addConfigMap(
      SortedMap<String, FileContent> files, Pod pod, KeySelection selection, int mode) {
    var found = sources.configMap(pod.getMetadata().getNamespace(), selection.name());
    addKeys(files, "configmap", "config", selection, found, mode);
  }

  public void addSecret(
      SortedMap<String, FileContent> files, Pod pod, KeySelection selection, int mode) {
    var found = sources.secret(pod.getMetadata().getNamespace(), selection.name());
    addKeys(files, "secret", "secret", selection, found, mode);
  }

  /// @param keyKind what messages of the kubelet call the keys of such an object
  private static void addKeys(
      SortedMap<String, FileContent> files,
      String kind,
      String keyKind,
      KeySelection selection,
      Optional<Map<String, byte[]>> found,
      int mode) {
    if (found.isEmpty() && !selection.isOptional()) {
      throw missing("%s \"%s\" not found".formatted(kind, selection.name()));
    }
    Map<String, byte[]> data = found.orElse(Map.of());
    if (selection.items().isEmpty()) {
      data.forEach((key, bytes) -> files.put(key, FileContent.of(bytes, mode)));
      return;
    }
    for (KeyToPath item : selection.items()) {
      byte[] bytes = data.get(item.getKey());
      if (bytes != null) {
        files.put(safe(item.getPath()), FileContent.of(bytes, mode(item.getMode(), mode)));
      } else if (!selection.isOptional()) {
        throw missing(
            "references non-existent %s key: %s (%s \"%s\" has %s)"
                .formatted(
                    keyKind,
                    item.getKey(),
                    kind,
                    selection.name(),
                    data.keySet().stream().sorted().toList()));
      }
    }
  }

  public void addFields(
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

  public void addToken(
      SortedMap<String, FileContent> files,
      Pod pod,
      ServiceAccountTokenProjection projection,
      int mode) {
    String audience = Objects.requireNonNullElse(projection.getAudience(), "");
    long seconds =
        Objects.requireNonNullElse(projection.getExpirationSeconds(), STANDARD_TOKEN_SECONDS);
    String token = tokens.get(pod, audience, seconds);
    // Without an owner or group the token stays private.
    int own = VolumeOwner.of(pod).isNobody() ? mode : PRIVATE_MODE;
    files.put(safe(projection.getPath()), FileContent.of(token.getBytes(UTF_8), own));
  }

  public void forgetTokens(Pod pod) {
    tokens.forget(pod.getMetadata().getUid());
  }

  private static int mode(@Nullable Integer wanted, int standard) {
    return wanted == null ? standard : wanted;
  }

  /// The API server validates paths; this is the last check before they are used.
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
