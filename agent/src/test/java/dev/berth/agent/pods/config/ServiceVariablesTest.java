package dev.berth.agent.pods.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ServiceVariablesTest {
  private static final Service API = service("default", "kubernetes", "10.0.0.1", "https", 443);
  private static final Service REDIS = service("shop", "redis-primary", "10.0.0.11", "", 6379);

  @Test
  void everyServiceOfTheNamespaceHasItsVariables() {
    assertThat(ServiceVariables.of(pod(null), List.of(REDIS, API)))
        .containsEntry("KUBERNETES_SERVICE_HOST", "10.0.0.1")
        .containsEntry("KUBERNETES_SERVICE_PORT_HTTPS", "443")
        .containsEntry("REDIS_PRIMARY_SERVICE_HOST", "10.0.0.11")
        .containsEntry("REDIS_PRIMARY_SERVICE_PORT", "6379")
        .containsEntry("REDIS_PRIMARY_PORT", "tcp://10.0.0.11:6379")
        .containsEntry("REDIS_PRIMARY_PORT_6379_TCP", "tcp://10.0.0.11:6379")
        .containsEntry("REDIS_PRIMARY_PORT_6379_TCP_PROTO", "tcp")
        .containsEntry("REDIS_PRIMARY_PORT_6379_TCP_PORT", "6379")
        .containsEntry("REDIS_PRIMARY_PORT_6379_TCP_ADDR", "10.0.0.11")
        .hasSize(15);
  }

  @Test
  void aPodWithoutLinksKnowsOnlyTheApiServer() {
    assertThat(ServiceVariables.of(pod(false), List.of(REDIS, API)).keySet())
        .allMatch(name -> name.startsWith("KUBERNETES_"))
        .isNotEmpty();
  }

  @Test
  void othersAreNotSeen() {
    Service elsewhere = service("other", "web", "10.0.0.12", "", 80);
    Service headless = service("shop", "web", "None", "", 80);

    assertThat(ServiceVariables.of(pod(true), List.of(elsewhere, headless))).isEmpty();
  }

  private static Pod pod(@Nullable Boolean links) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("shop")
        .endMetadata()
        .withNewSpec()
        .withEnableServiceLinks(links)
        .endSpec()
        .build();
  }

  private static Service service(
      String namespace, String name, String address, String portName, int port) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withClusterIP(address)
        .addNewPort()
        .withName(portName)
        .withPort(port)
        .endPort()
        .endSpec()
        .build();
  }
}
