package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.probes.HttpGet;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.DelayedActions;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// Lifecycle hooks that send an HTTP request or sleep.
public final class HookRequests {
  /// Without a grace period a hook gets as long as the default period; it must not keep the step
  /// for ever.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final NodeSettings node;
  private final HttpGet http;
  private final DelayedActions delays;

  public HookRequests(NodeSettings node, HttpGet http, DelayedActions delays) {
    this.node = node;
    this.http = http;
    this.delays = delays;
  }

  /// Any HTTP response counts as success, as upstream has it.
  Optional<String> get(
      StepContext stepContext, Container container, HTTPGetAction action, Duration limit)
      throws InterruptedException {
    try {
      http.send(stepContext.addresses(node), container, action, limit.isZero() ? PATIENCE : limit);
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of("the hook's request failed: " + e.getMessage());
    }
  }

  Optional<String> sleep(Duration time, Duration limit) throws InterruptedException {
    boolean cut = !limit.isZero() && limit.compareTo(time) < 0;
    new WakeSignal().await(cut ? limit : time, delays);
    return Optional.empty();
  }
}
