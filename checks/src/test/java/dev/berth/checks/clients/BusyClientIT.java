package dev.berth.checks.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.TestCluster;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.OpenWatch;
import dev.berth.client.ResourceType;
import dev.berth.client.WatchEvent;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Thousands of requests on the connection of a watch do not end it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BusyClientIT {
  private static final int REQUESTS = 3_000;
  private static final int AT_ONCE = 32;

  private TestCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster = TestCluster.start(directory.resolve("data"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void ourClientIsNotHungUpOn() throws Exception {
    try (ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(cluster.kubeconfig()));
        OpenWatch<?> watch =
            client.json(ResourceType.LEASES).watch(ListQuery.inNamespace("default"), "", 600)) {
      atOnce(() -> client.json(ResourceType.NAMESPACES).get(ObjectKey.clusterScoped("default")));
      atOnce(() -> client.typed(ResourceType.CONFIG_MAPS, ConfigMap.class).create(map()));
      client.typed(ResourceType.LEASES, Lease.class).create(lease());
      WatchEvent<?> event = watch.next().orElseThrow();
      while (event instanceof WatchEvent.Bookmark) {
        event = watch.next().orElseThrow();
      }
      assertThat(event).isInstanceOf(WatchEvent.Added.class);
    }
  }

  @Test
  void theLibrarysClientIsNotHungUpOn() throws Exception {
    Config config = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    // Or else it would ask again when the connection breaks.
    config.setRequestRetryBackoffLimit(0);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      atOnce(() -> client.namespaces().withName("default").get());
      atOnce(() -> client.configMaps().inNamespace("default").resource(map()).create());
    }
  }

  private static void atOnce(Callable<?> request) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<? extends Future<?>> answers =
          IntStream.range(0, REQUESTS).mapToObj(_ -> threads.submit(request)).toList();
      for (Future<?> answer : answers) {
        assertThat(answer.get()).isNotNull();
      }
    }
  }

  private static ConfigMap map() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withGenerateName("busy-")
        .withNamespace("default")
        .endMetadata()
        .build();
  }

  private static Lease lease() {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName("last")
        .withNamespace("default")
        .endMetadata()
        .build();
  }
}
