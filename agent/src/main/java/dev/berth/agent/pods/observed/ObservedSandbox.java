package dev.berth.agent.pods.observed;

import dev.berth.cri.v1.PodIP;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.PodSandboxStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A pod's sandbox as its runtime service reports it.
///
/// @param addresses empty for a pod in the host's network
public record ObservedSandbox(
    String id,
    int attempt,
    boolean isReady,
    Instant createdAt,
    String handler,
    List<String> addresses,
    Map<String, String> labels) {
  public ObservedSandbox {
    addresses = List.copyOf(addresses);
    labels = Map.copyOf(labels);
  }

  public static ObservedSandbox of(PodSandboxStatus status) {
    List<String> addresses = new ArrayList<>();
    if (!status.getNetwork().getIp().isEmpty()) {
      addresses.add(status.getNetwork().getIp());
    }
    status.getNetwork().getAdditionalIpsList().stream().map(PodIP::getIp).forEach(addresses::add);
    return new ObservedSandbox(
        status.getId(),
        status.getMetadata().getAttempt(),
        status.getState() == PodSandboxState.SANDBOX_READY,
        CriTimestamps.instant(status.getCreatedAt()),
        status.getRuntimeHandler(),
        addresses,
        status.getLabelsMap());
  }

  /// Older services report the handler only in lists.
  ObservedSandbox withHandler(String listed) {
    return handler.isEmpty() && !listed.isEmpty()
        ? new ObservedSandbox(id, attempt, isReady, createdAt, listed, addresses, labels)
        : this;
  }
}
