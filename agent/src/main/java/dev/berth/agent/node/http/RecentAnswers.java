package dev.berth.agent.node.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// A cache of recent answers, so that not every request calls the API server.
///
/// @param <K> the question
/// @param <V> the answer
final class RecentAnswers<K, V> {
  /// Bounds the memory that callers with ever new tokens or paths can fill.
  private static final int MOST = 4096;

  private final Map<K, Answer<V>> known = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final Function<V, Duration> lifetime;

  private record Answer<V>(V value, Instant until) {}

  RecentAnswers(InstantSource clock, Function<V, Duration> lifetime) {
    this.clock = clock;
    this.lifetime = lifetime;
  }

  V get(K question, Supplier<V> ask) {
    Instant now = clock.instant();
    Answer<V> answer = known.get(question);
    if (answer != null && now.isBefore(answer.until())) {
      return answer.value();
    }
    V value = ask.get();
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(question, new Answer<>(value, now.plus(lifetime.apply(value))));
    return value;
  }
}
