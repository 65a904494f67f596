package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeResult.Errored;
import dev.berth.agent.probes.ProbeResult.Unknown;
import dev.berth.agent.probes.ProbeWorkers.Subject;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.util.Objects;

/// Runs one probe of whichever type it has.
final class ProbeRunner {
  private final HttpCheck http = new HttpCheck();

  /// Blocks for the probe's timeout at most.
  ProbeResult make(Subject subject, Probe probe) throws InterruptedException {
    Duration limit = Duration.ofSeconds(Objects.requireNonNullElse(probe.getTimeoutSeconds(), 1));
    try {
      if (probe.getExec() != null) {
        return ExecCheck.make(subject, probe.getExec(), limit);
      } else if (probe.getHttpGet() != null) {
        return http.make(subject, probe.getHttpGet(), limit);
      } else if (probe.getTcpSocket() != null) {
        return TcpCheck.make(ProbeTarget.of(subject, probe.getTcpSocket()), limit);
      } else if (probe.getGrpc() != null) {
        return GrpcCheck.make(ProbeTarget.of(subject, probe.getGrpc()), probe.getGrpc(), limit);
      }
      return new Unknown("the probe has neither exec, httpGet, tcpSocket nor grpc");
    } catch (IllegalArgumentException e) {
      return new Errored(String.valueOf(e.getMessage()));
    }
  }
}
