package dev.berth.agent.pods.act;

import dev.berth.agent.pods.observed.Bell;
import dev.berth.agent.probes.HttpGet;
import dev.berth.client.Delays;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Hooks that are requests to the container, or only take time.
public final class HookRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpGet http;
  private final Delays delays;

  public HookRequests(HttpGet http, Delays delays) {
    this.http = http;
    this.delays = delays;
  }

  /// Any answer will do: what the container says to it is its own affair, as upstream has it.
  Optional<String> get(PodScene scene, Container container, HTTPGetAction action, Duration limit)
      throws InterruptedException {
    List<String> addresses =
        scene.observed().usableSandbox().map(sandbox -> sandbox.addresses()).orElse(List.of());
    try {
      http.send(addresses, container, action, limit.isZero() ? PATIENCE : limit);
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of("the hook's request failed: " + e.getMessage());
    }
  }

  Optional<String> sleep(Duration time, Duration limit) throws InterruptedException {
    boolean cut = !limit.isZero() && limit.compareTo(time) < 0;
    new Bell().await(cut ? limit : time, delays);
    return Optional.empty();
  }
}
