package dev.berth.cri;

import dev.berth.cri.CriEndpoint.InProcess;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/// Servers and connections of a test, closed together and in the right order.
final class Services implements AutoCloseable {
  final PrometheusRegistry registry = new PrometheusRegistry();
  final CriMetrics metrics = new CriMetrics(registry);
  final CriTransport transport = new CriTransport();
  private final Deque<Runnable> open = new ArrayDeque<>();

  /// A server in this process and a connection to it.
  CriConnection inProcess(BindableService... services) {
    return connect("sim", serve(new InProcess(UUID.randomUUID().toString()), services).endpoint());
  }

  CriServer serve(CriEndpoint endpoint, BindableService... services) {
    return serve(endpoint, Arrays.stream(services).map(BindableService::bindService).toList());
  }

  CriServer serve(CriEndpoint endpoint, List<ServerServiceDefinition> services) {
    CriServer server = CriServer.start(transport, endpoint, services);
    open.push(server::close);
    return server;
  }

  CriConnection connect(String name, CriEndpoint endpoint) {
    return connect(name, endpoint, CriDeadlines.KUBELET);
  }

  CriConnection connect(String name, CriEndpoint endpoint, Duration timeout) {
    return connect(name, endpoint, new CriDeadlines(timeout));
  }

  private CriConnection connect(String name, CriEndpoint endpoint, CriDeadlines deadlines) {
    return connect(name, endpoint, deadlines, OpenTelemetry.noop());
  }

  CriConnection connect(
      String name, CriEndpoint endpoint, CriDeadlines deadlines, OpenTelemetry telemetry) {
    var connection = new CriChannels(transport, deadlines, metrics, telemetry).open(name, endpoint);
    open.push(connection::close);
    return connection;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
    transport.close();
  }
}
