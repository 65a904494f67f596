package dev.berth.agent.volumes.payloads;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Where the contents of volumes come from.
public interface VolumeSources {
  /// Empty only when there is none of that name.
  Optional<Map<String, byte[]>> configMap(String namespace, String name);

  Optional<Map<String, byte[]>> secret(String namespace, String name);

  /// A token of the pod's service account that is good only while the pod lives.
  ///
  /// @param audience empty for that of the API server
  Token token(Pod pod, String audience, long seconds);

  record Token(String value, Instant expires) {
    @Override
    public String toString() {
      return "Token[until " + expires + "]";
    }
  }
}
