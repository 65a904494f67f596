package dev.berth.agent.pods.references;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServiceSpecBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ApiServerServiceTest {
  private static final Service WEB = service("shop", "web");

  @Test
  void podsFindTheServerWhereTheirNodeDoes() {
    List<Service> services = ApiServerService.among(List.of(WEB), "https://10.0.0.1:6443");

    assertThat(services).hasSize(2).startsWith(WEB);
    assertThat(services.getLast().getSpec().getClusterIP()).isEqualTo("10.0.0.1");
    assertThat(services.getLast().getSpec().getPorts().getFirst().getPort()).isEqualTo(6443);
  }

  @Test
  void theClustersOwnServiceIsTaken() {
    Service own = service("default", "kubernetes");
    own.setSpec(new ServiceSpecBuilder().withClusterIP("10.96.0.1").build());

    assertThat(ApiServerService.among(List.of(own), "https://10.0.0.1:6443")).containsExactly(own);
  }

  @Test
  void aServiceWithoutAnAddressIsReplaced() {
    List<Service> own = List.of(WEB, service("default", "kubernetes"));

    List<Service> services = ApiServerService.among(own, "https://10.0.0.1:6443");

    assertThat(services).hasSize(2).startsWith(WEB);
    assertThat(services.getLast().getSpec().getClusterIP()).isEqualTo("10.0.0.1");
  }

  @Test
  void anAddressThatNobodyRoutesIsReplaced() {
    Service own = service("default", "kubernetes");
    own.getMetadata().setAnnotations(Map.of("berth.dev/cluster-ip-routed", "false"));
    own.setSpec(new ServiceSpecBuilder().withClusterIP("10.96.0.1").build());

    List<Service> services = ApiServerService.among(List.of(own), "https://192.0.2.1:6443");

    assertThat(services).hasSize(1);
    assertThat(services.getFirst().getSpec().getClusterIP()).isEqualTo("192.0.2.1");
  }

  @Test
  void addressesOfTheNewSortHaveNoBrackets() {
    Service made = ApiServerService.among(List.of(), "https://[fd00::1]").getFirst();

    assertThat(made.getSpec().getClusterIP()).isEqualTo("fd00::1");
    assertThat(made.getSpec().getPorts().getFirst().getPort()).isEqualTo(443);
  }

  @Test
  void anUnknownServerIsNotMadeUp() {
    assertThat(ApiServerService.among(List.of(WEB), "")).containsExactly(WEB);
  }

  private static Service service(String namespace, String name) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
  }
}
