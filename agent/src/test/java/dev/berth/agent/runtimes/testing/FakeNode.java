package dev.berth.agent.runtimes.testing;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriEndpoint.InProcess;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import io.grpc.BindableService;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// A machine with runtimes that can be started and killed, and channels to them.
public final class FakeNode implements AutoCloseable {
  private final String id = UUID.randomUUID().toString();
  private final CriTransport transport = new CriTransport();
  private final Map<String, CriServer> servers = new HashMap<>();
  public final CriMetrics metrics = new CriMetrics(new PrometheusRegistry());
  public final CriChannels channels =
      new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());

  public CriEndpoint endpoint(String name) {
    return new InProcess(id + "-" + name);
  }

  public void start(String name, BindableService runtime) {
    start(name, endpoint(name), runtime);
  }

  public void start(String name, CriEndpoint endpoint, BindableService runtime) {
    servers.put(name, CriServer.start(transport, endpoint, List.of(runtime.bindService())));
  }

  public void kill(String name) {
    Objects.requireNonNull(servers.remove(name)).stopNow();
  }

  @Override
  public void close() {
    servers.values().forEach(CriServer::stopNow);
    transport.close();
  }
}
