package dev.berth.agent.pods.references;

import dev.berth.agent.pods.config.ReferencedObjects;
import dev.berth.client.ApiClient;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Optional;

/// ConfigMaps, Secrets and Services from the API server, or as last read while it is away.
public final class ApiReferences implements ReferencedObjects {
  private final LastKnownObjects<ConfigMap> configMaps;
  private final LastKnownObjects<Secret> secrets;
  private final Informer<Service> services;
  private final String apiServer;

  /// @param apiServer see [dev.berth.agent.pods.config.NodeSettings#apiServer]
  public ApiReferences(ApiClient client, Informer<Service> services, String apiServer) {
    this.services = services;
    this.apiServer = apiServer;
    this.configMaps =
        new LastKnownObjects<>(client.typed(ResourceType.CONFIG_MAPS, ConfigMap.class));
    this.secrets = new LastKnownObjects<>(client.typed(ResourceType.SECRETS, Secret.class));
  }

  @Override
  public Optional<ConfigMap> configMap(String namespace, String name) {
    return configMaps.find(new ObjectKey(namespace, name));
  }

  @Override
  public Optional<Secret> secret(String namespace, String name) {
    return secrets.find(new ObjectKey(namespace, name));
  }

  @Override
  public Optional<List<Service>> services() {
    return services.isSynced()
        ? Optional.of(ApiServerService.among(services.list(), apiServer))
        : Optional.empty();
  }
}
