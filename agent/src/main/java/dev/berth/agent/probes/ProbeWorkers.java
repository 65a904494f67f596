package dev.berth.agent.probes;

import dev.berth.agent.runtimes.RuntimeEndpoint;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;

/// Runs the startup, readiness and liveness probes of containers.
public interface ProbeWorkers extends AutoCloseable {
  /// A running container.
  ///
  /// @param startedAt the start of a probe's initial delay
  /// @param addresses the pod's
  record Subject(
      Pod pod,
      Container container,
      String containerId,
      Instant startedAt,
      List<String> addresses,
      RuntimeEndpoint service) {
    public Subject {
      addresses = List.copyOf(addresses);
    }
  }

  /// The verdict of a container's probes; without probes it is started, ready and alive.
  record Verdict(boolean started, boolean ready, boolean isAlive) {
    public static final Verdict UNPROBED = new Verdict(true, true, true);
  }

  /// Receives changes of one container; must not block.
  interface ProbeListener {
    /// The verdict has changed.
    void changed();

    /// A probe failed, which may not change the verdict yet.
    ///
    /// @param what a message for users
    void failed(String what);

    /// A probe succeeded in a way that its author may not intend.
    ///
    /// @param what a message for users
    void doubted(String what);
  }

  /// Starts to probe a container; idempotent.
  void follow(Subject subject, ProbeListener listener);

  Verdict verdict(String containerId);

  /// The container's pod is ending: only readiness is still probed.
  void stopping(String containerId);

  /// The container has ended.
  void forget(String containerId);

  @Override
  void close();
}
