package dev.berth.checks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EndpointsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server whose memory is too small for what clients want to store.
final class SmallHeapIT {
  /// As large as a Secret may be.
  private static final String LARGE = "x".repeat(1_398_000);

  @TempDir private Path directory;

  @Test
  void itRefusesMoreThanItCanHoldAndGoesOn() throws Exception {
    try (ServerProcess server = ServerProcess.startSmall(directory);
        KubernetesClient client = server.client()) {
      // Changes come first: what they leave behind must find room beside the live objects.
      for (int i = 0; i < 10; i++) {
        client
            .resource(large("first", LARGE + "xxxx".repeat(1 + i % 2)))
            .createOr(op -> op.update());
      }
      KubernetesClientException refusal = fill(client);
      assertThat(refusal.getStatus().getMessage())
          .contains("the store is full: its objects use ", " MiB of this server's")
          .endsWith("Delete objects that are not needed, or run the server with more memory");

      // Reading and deleting go on, and then there is room again.
      assertThat(client.secrets().inNamespace("default").withName("c0").get().getData())
          .containsEntry("x", LARGE);
      client.secrets().inNamespace("default").withName("c0").delete();
      client.secrets().inNamespace("default").withName("c1").delete();
      client.resource(large("another", LARGE)).create();
    }
  }

  @Test
  void whatItHeldWhenItWasFullItHoldsAfterARestart() throws Exception {
    int stored;
    try (ServerProcess server = ServerProcess.startSmall(directory);
        KubernetesClient client = server.client()) {
      fill(client);
      stored = client.secrets().inNamespace("default").list().getItems().size();
      server.kill();
    }
    try (ServerProcess server = ServerProcess.startSmall(directory);
        KubernetesClient client = server.client()) {
      assertThat(client.secrets().inNamespace("default").list().getItems()).hasSize(stored);
    }
  }

  /// Each kind has its own history; what they keep of old objects must not add up.
  @Test
  void changesOfLargeObjectsOfManyKindsLeaveItRunning() throws Exception {
    try (ServerProcess server = ServerProcess.startSmall(directory);
        KubernetesClient client = server.client()) {
      List<HasMetadata> objects = oneOfEachOfManyKinds();
      objects.forEach(object -> client.resource(object).create());
      for (int i = 0; i < 40; i++) {
        String annotation = "%02d".formatted(i).repeat(125_000);
        String patch = "{\"metadata\":{\"annotations\":{\"large\":\"" + annotation + "\"}}}";
        for (HasMetadata object : objects) {
          client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        }
      }
      assertThat(client.raw("/readyz")).isEqualTo("ok");
    }
  }

  private static List<HasMetadata> oneOfEachOfManyKinds() {
    ObjectMeta metadata =
        new ObjectMetaBuilder().withNamespace("default").withName("large").build();
    return List.of(
        new ConfigMapBuilder().withMetadata(metadata).build(),
        new SecretBuilder().withMetadata(metadata).build(),
        new ServiceAccountBuilder().withMetadata(metadata).build(),
        new EndpointsBuilder().withMetadata(metadata).build(),
        new LeaseBuilder().withMetadata(metadata).withNewSpec().endSpec().build(),
        new RoleBuilder().withMetadata(metadata).build(),
        new RoleBindingBuilder()
            .withMetadata(metadata)
            .withNewRoleRef("rbac.authorization.k8s.io", "Role", "large")
            .build(),
        new ServiceBuilder()
            .withMetadata(metadata)
            .withNewSpec()
            .withClusterIP("None")
            .endSpec()
            .build());
  }

  /// Half of the heap is full after about 35.
  private static KubernetesClientException fill(KubernetesClient client) {
    for (int i = 0; i < 60; i++) {
      try {
        client.resource(large("c" + i, LARGE)).create();
      } catch (KubernetesClientException e) {
        return e;
      }
    }
    throw new AssertionError("more was taken than half of the heap");
  }

  private static Secret large(String name, String data) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .addToData("x", data)
        .build();
  }
}
