package dev.berth.agent.volumes.payloads;

import io.fabric8.kubernetes.api.model.KeyToPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keys of a ConfigMap or a Secret that become files.
///
/// @param items all keys when empty
public record KeySelection(String name, List<KeyToPath> items, @Nullable Boolean optional) {
  boolean isOptional() {
    return Boolean.TRUE.equals(optional);
  }
}
