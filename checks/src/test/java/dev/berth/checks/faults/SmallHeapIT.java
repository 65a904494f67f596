package dev.berth.checks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server whose memory is too small for what clients want to store.
final class SmallHeapIT {
  /// As large as a Secret may be.
  private static final String LARGE = "x".repeat(1_398_000);

  @TempDir private Path folder;

  @Test
  void itRefusesMoreThanItCanHoldAndGoesOn() throws Exception {
    try (ServerProcess server = ServerProcess.startSmall(folder);
        KubernetesClient client = server.client()) {
      // Changes come first: what they leave behind must find room beside the live objects.
      for (int i = 0; i < 10; i++) {
        client
            .resource(large("first", LARGE + "xxxx".repeat(1 + i % 2)))
            .createOr(op -> op.update());
      }
      KubernetesClientException refusal = fill(client);
      assertThat(refusal.getStatus().getMessage())
          .contains(
              "the store is full: its objects take ", " MiB that they may have of this server's")
          .endsWith("Delete objects that are not needed, or run the server with more memory");

      // Reading and deleting go on, and then there is room again.
      assertThat(client.secrets().inNamespace("default").withName("c0").get().getData())
          .containsEntry("x", LARGE);
      client.secrets().inNamespace("default").withName("c0").delete();
      client.secrets().inNamespace("default").withName("c1").delete();
      client.resource(large("another", LARGE)).create();
    }
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
