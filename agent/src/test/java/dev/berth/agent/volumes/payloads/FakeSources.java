package dev.berth.agent.volumes.payloads;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Contents as a test puts them.
public final class FakeSources implements VolumeSources, DownwardValues {
  public final Map<String, Map<String, String>> configMaps = new HashMap<>();
  public final Map<String, Map<String, String>> secrets = new HashMap<>();

  /// Names of ConfigMaps of which reading fails as nobody expects.
  public final Set<String> broken = new HashSet<>();

  /// What happens while a ConfigMap is being read.
  public Runnable whenRead = () -> {};

  private final InstantSource clock;
  int tokens;

  public FakeSources(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
    if (broken.contains(name)) {
      throw new IllegalStateException("ConfigMap %s is broken".formatted(name));
    }
    whenRead.run();
    return bytes(configMaps.get(name));
  }

  @Override
  public Optional<Map<String, byte[]>> secret(String namespace, String name) {
    return bytes(secrets.get(name));
  }

  private static Optional<Map<String, byte[]>> bytes(
      @org.jspecify.annotations.Nullable Map<String, String> texts) {
    return Optional.ofNullable(texts)
        .map(
            all ->
                all.entrySet().stream()
                    .collect(
                        Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().getBytes(UTF_8))));
  }

  @Override
  public Token token(Pod pod, String audience, long seconds) {
    tokens++;
    return new Token(
        "token-%d-for-%s".formatted(tokens, audience),
        clock.instant().plus(Duration.ofSeconds(seconds)));
  }

  @Override
  public String field(Pod pod, String path) {
    return path + " of " + pod.getMetadata().getName();
  }

  @Override
  public String resource(Pod pod, ResourceFieldSelector selector) {
    return selector.getResource();
  }
}
