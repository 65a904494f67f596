package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Optional;

/// The objects that pods refer to, as the API server has them.
public interface ReferencedObjects {
  Optional<ConfigMap> configMap(String namespace, String name);

  Optional<Secret> secret(String namespace, String name);

  /// All Services; empty until they are known.
  Optional<List<Service>> services();
}
