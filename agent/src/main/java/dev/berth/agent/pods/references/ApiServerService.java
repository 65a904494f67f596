package dev.berth.agent.pods.references;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The Service by which containers find the API server (`KUBERNETES_SERVICE_HOST`).
///
/// Upstream's servers create one whose address every node routes. No node routes the address of
/// Berth's Service, as its annotation says: there, pods get the address that their node uses for
/// the server.
final class ApiServerService {
  private static final String NAMESPACE = "default";
  private static final String NAME = "kubernetes";
  private static final String ROUTED = "berth.dev/cluster-ip-routed";

  private ApiServerService() {}

  /// The services, with one for the API server added if none has a routed address.
  ///
  /// @param apiServer the server's URL; may be empty
  static List<Service> among(List<Service> services, String apiServer) {
    if (apiServer.isEmpty() || services.stream().anyMatch(ApiServerService::isIt)) {
      return services;
    }
    List<Service> all = new ArrayList<>(services);
    all.removeIf(ApiServerService::isNamed);
    all.add(of(URI.create(apiServer)));
    return all;
  }

  private static boolean isIt(Service service) {
    String address = service.getSpec() == null ? null : service.getSpec().getClusterIP();
    Map<String, String> annotations = service.getMetadata().getAnnotations();
    boolean isRouted = annotations == null || !"false".equals(annotations.get(ROUTED));
    return isNamed(service) && address != null && !address.isEmpty() && isRouted;
  }

  private static boolean isNamed(Service service) {
    return service.getMetadata().getNamespace().equals(NAMESPACE)
        && service.getMetadata().getName().equals(NAME);
  }

  private static Service of(URI server) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName(NAME)
        .endMetadata()
        .withNewSpec()
        .withClusterIP(server.getHost().replaceAll("^\\[|\\]$", ""))
        .addNewPort()
        .withName("https")
        .withPort(server.getPort() < 0 ? 443 : server.getPort())
        .withProtocol("TCP")
        .endPort()
        .endSpec()
        .build();
  }
}
