package dev.berth.checks.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers on one etcd charge the same quota.
class SharedQuotaIT {
  private static final String COUNT = "count/configmaps";

  @Test
  void twoServersTogetherNeverExceedAQuota(@TempDir Path directory) throws Exception {
    assumeTrue(EtcdProcess.isInstalled(), "etcd is not on PATH (Debian: etcd-server)");
    try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
      String[] flags = {"--store", "etcd", "--etcd-servers", etcd.url()};
      try (ServerProcess first = ServerProcess.start(directory.resolve("first"), flags);
          ServerProcess second = ServerProcess.start(directory.resolve("second"), flags);
          KubernetesClient one = first.client();
          KubernetesClient two = second.client()) {
        int before = one.configMaps().inNamespace("default").list().getItems().size();
        one.resource(quota(before + 25)).create();
        for (KubernetesClient client : List.of(one, two)) {
          client
              .resourceQuotas()
              .inNamespace("default")
              .withName("shared")
              .waitUntilCondition(SharedQuotaIT::isCounted, 60, TimeUnit.SECONDS);
        }
        int created = createAll(List.of(one, two), 120);
        int there = one.configMaps().inNamespace("default").list().getItems().size();
        assertThat(there).isLessThanOrEqualTo(before + 25);
        assertThat(created).isEqualTo(there - before);
        // The controllers' own map may have taken a place.
        assertThat(created).isBetween(24, 25);
      }
    }
  }

  private static int createAll(List<KubernetesClient> servers, int maps) throws Exception {
    int created = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> creations = new ArrayList<>();
      for (int i = 0; i < maps; i++) {
        KubernetesClient server = servers.get(i % servers.size());
        String name = "map-" + i;
        creations.add(threads.submit(() -> isCreated(server, name)));
      }
      for (Future<Boolean> creation : creations) {
        created += creation.get() ? 1 : 0;
      }
    }
    return created;
  }

  private static boolean isCreated(KubernetesClient server, String name) {
    try {
      server
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .withNamespace("default")
                  .endMetadata()
                  .build())
          .create();
      return true;
    } catch (KubernetesClientException e) {
      assertThat(e.getMessage()).contains("exceeded quota: shared");
      return false;
    }
  }

  private static ResourceQuota quota(int hard) {
    return new ResourceQuotaBuilder()
        .withNewMetadata()
        .withName("shared")
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withHard(Map.of(COUNT, new Quantity("" + hard)))
        .endSpec()
        .build();
  }

  private static boolean isCounted(ResourceQuota quota) {
    return quota != null
        && quota.getStatus() != null
        && quota.getStatus().getUsed() != null
        && quota.getStatus().getUsed().containsKey(COUNT);
  }
}
