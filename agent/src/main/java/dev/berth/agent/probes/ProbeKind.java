package dev.berth.agent.probes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import org.jspecify.annotations.Nullable;

/// What a probe is for.
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

  /// Null when the container has none of this kind.
  @Nullable Probe of(Container container) {
    return switch (this) {
      case STARTUP -> container.getStartupProbe();
      case LIVENESS -> container.getLivenessProbe();
      case READINESS -> container.getReadinessProbe();
    };
  }
}
