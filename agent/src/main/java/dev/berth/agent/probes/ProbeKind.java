package dev.berth.agent.probes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import org.jspecify.annotations.Nullable;

/// The purpose of a probe.
enum ProbeKind {
  STARTUP("Startup"),
  LIVENESS("Liveness"),
  READINESS("Readiness");

  private final String word;

  ProbeKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /// The container's probe of this kind; null for none.
  @Nullable Probe of(Container container) {
    return switch (this) {
      case STARTUP -> container.getStartupProbe();
      case LIVENESS -> container.getLivenessProbe();
      case READINESS -> container.getReadinessProbe();
    };
  }
}
