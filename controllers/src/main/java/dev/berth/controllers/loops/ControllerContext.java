package dev.berth.controllers.loops;

import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceClient;
import dev.berth.client.WorkQueue;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// The client, clock and random source shared by all controllers. Tests give a clock and delays
/// that they move by hand.
public record ControllerContext(
    ApiClient client, DelayedActions delays, InstantSource clock, RandomGenerator random) {
  public <K> WorkQueue<K> queue() {
    return new WorkQueue<>(WorkQueue.usualBackoff(random), delays, clock);
  }

  public <T> Informer<T> informer(ResourceClient<T> resources, ListQuery query) {
    return Informer.start(resources, query, delays, Reflector.usualBackoff(random));
  }

  public <T> Reflector<T> reflector(ResourceClient<T> resources, Reflector.Mirror<T> mirror) {
    return Reflector.start(
        resources, ListQuery.ALL, mirror, delays, Reflector.usualBackoff(random));
  }
}
