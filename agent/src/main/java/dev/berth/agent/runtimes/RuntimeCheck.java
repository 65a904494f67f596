package dev.berth.agent.runtimes;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Optional;

/// Asks whether a runtime service answers at an endpoint, before it is registered.
public final class RuntimeCheck {
  private static final CriDeadlines SHORT = new CriDeadlines(Duration.ofSeconds(3));

  private RuntimeCheck() {}

  /// Why it is none; empty when it answers.
  public static Optional<String> refusal(CriEndpoint endpoint) {
    CriMetrics metrics = new CriMetrics(new PrometheusRegistry());
    try (CriTransport transport = new CriTransport();
        CriConnection connection =
            new CriChannels(transport, SHORT, metrics, OpenTelemetry.noop())
                .open("check", endpoint)) {
      connection.runtime().version();
      return Optional.empty();
    } catch (CriException e) {
      return Optional.of(e.rpcError());
    }
  }
}
