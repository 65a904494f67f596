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
  /// @param startedAt from when a probe's initial delay counts
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

  /// What probes say about a container; one without probes is started, ready and alive.
  record Verdict(boolean started, boolean ready, boolean isAlive) {
    public static final Verdict UNPROBED = new Verdict(true, true, true);
  }

  /// Hears about a container; must not block.
  interface News {
    /// The verdict has changed.
    void changed();

    /// A probe failed, which may not yet change the verdict.
    ///
    /// @param what for people
    void failed(String what);

    /// A probe succeeded in a way that its author may not have meant.
    ///
    /// @param what for people
    void doubted(String what);
  }

  /// Starts to probe a container, unless that is done already.
  void follow(Subject subject, News news);

  Verdict verdict(String containerId);

  /// Its pod is about to end: only its readiness still matters to anybody.
  void stopping(String containerId);

  /// The container has ended.
  void forget(String containerId);

  @Override
  void close();
}
