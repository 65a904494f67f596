package dev.berth.agent.volumes.payloads;

import dev.berth.agent.volumes.payloads.VolumeSources.Token;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Service account tokens of pods, renewed after 80 % of their lifetime or a day, whichever comes
/// first, as the kubelet does.
public final class ServiceAccountTokens {
  /// A token is replaced after a day at the latest, whatever its lifetime, as by the kubelet.
  private static final Duration LONGEST = Duration.ofHours(24);

  private final VolumeSources sources;
  private final InstantSource clock;
  private final ConcurrentMap<Key, Held> held = new ConcurrentHashMap<>();

  private record Key(String podUid, String audience, long seconds) {}

  private record Held(Token token, Instant renewAt) {}

  public ServiceAccountTokens(VolumeSources sources, InstantSource clock) {
    this.sources = sources;
    this.clock = clock;
  }

  String get(Pod pod, String audience, long seconds) {
    Key key = new Key(pod.getMetadata().getUid(), audience, seconds);
    Held known = held.get(key);
    Instant now = clock.instant();
    if (known != null && now.isBefore(known.renewAt())) {
      return known.token().value();
    }
    // Two concurrent callers may get two tokens; both are valid.
    Token token = sources.token(pod, audience, seconds);
    Duration use = Duration.between(now, token.expires()).multipliedBy(4).dividedBy(5);
    held.put(key, new Held(token, now.plus(use.compareTo(LONGEST) < 0 ? use : LONGEST)));
    return token.value();
  }

  void forget(String podUid) {
    held.keySet().removeIf(key -> key.podUid().equals(podUid));
  }
}
