package dev.berth.agent.pods;

import dev.berth.agent.pods.config.References;
import dev.berth.client.ApiClient;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Optional;

/// ConfigMaps and Secrets as the API server has them at the moment.
final class ApiReferences implements References {
  private final Resources<ConfigMap> configMaps;
  private final Resources<Secret> secrets;
  private final Informer<Service> services;

  ApiReferences(ApiClient client, Informer<Service> services) {
    this.services = services;
    this.configMaps = client.typed(ResourceType.CONFIG_MAPS, ConfigMap.class);
    this.secrets = client.typed(ResourceType.SECRETS, Secret.class);
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
    return services.isSynced() ? Optional.of(services.list()) : Optional.empty();
  }
}
