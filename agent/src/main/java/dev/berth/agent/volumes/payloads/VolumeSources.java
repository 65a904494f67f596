package dev.berth.agent.volumes.payloads;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// The sources of volume contents.
public interface VolumeSources {
  /// The data of a ConfigMap; empty only when it does not exist.
  Optional<Map<String, byte[]>> configMap(String namespace, String name);

  Optional<Map<String, byte[]>> secret(String namespace, String name);

  /// A service account token bound to the pod.
  ///
  /// @param audience empty for the API server's
  Token token(Pod pod, String audience, long seconds);

  record Token(String value, Instant expires) {
    @Override
    public String toString() {
      return "Token[until " + expires + "]";
    }
  }
}
