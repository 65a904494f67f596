package dev.berth.agent.volumes.payloads;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Sources for one round over all pods: an object that many pods use is read once. Confined to one
/// thread and one round, since entries never change.
final class RoundSources implements VolumeSources {
  /// Bounds the cached bytes; further objects are read at each use.
  private static final long MOST_BYTES = 4L << 20;

  private final VolumeSources sources;
  private final Map<Key, Optional<Map<String, byte[]>>> known = new HashMap<>();
  private long bytes;

  private record Key(String kind, String namespace, String name) {}

  RoundSources(VolumeSources sources) {
    this.sources = sources;
  }

  @Override
  public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
    return once(new Key("configmap", namespace, name), () -> sources.configMap(namespace, name));
  }

  @Override
  public Optional<Map<String, byte[]>> secret(String namespace, String name) {
    return once(new Key("secret", namespace, name), () -> sources.secret(namespace, name));
  }

  private Optional<Map<String, byte[]>> once(
      Key key, Supplier<Optional<Map<String, byte[]>>> source) {
    Optional<Map<String, byte[]>> present = known.get(key);
    if (present != null) {
      return present;
    }
    Optional<Map<String, byte[]>> answer = source.get();
    long size =
        answer.stream().flatMap(files -> files.values().stream()).mapToLong(f -> f.length).sum();
    if (bytes + size <= MOST_BYTES) {
      bytes += size;
      known.put(key, answer);
    }
    return answer;
  }

  /// Tokens are never shared between pods.
  @Override
  public Token token(Pod pod, String audience, long seconds) {
    return sources.token(pod, audience, seconds);
  }
}
