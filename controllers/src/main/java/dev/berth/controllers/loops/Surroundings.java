package dev.berth.controllers.loops;

import dev.berth.client.ApiClient;
import dev.berth.client.Delays;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.Reflector;
import dev.berth.client.Resources;
import dev.berth.client.WorkQueue;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// The server, the time and the chance that a loop works with.
public record Surroundings(
    ApiClient client, Delays delays, InstantSource clock, RandomGenerator random) {
  public <K> WorkQueue<K> queue() {
    return new WorkQueue<>(WorkQueue.usualBackoff(random), delays, clock);
  }

  public <T> Informer<T> informer(Resources<T> resources, ListQuery query) {
    return Informer.start(resources, query, delays, Reflector.usualBackoff(random));
  }

  public <T> Reflector<T> reflector(Resources<T> resources, Reflector.Mirror<T> mirror) {
    return Reflector.start(
        resources, ListQuery.ALL, mirror, delays, Reflector.usualBackoff(random));
  }
}
