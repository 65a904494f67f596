package dev.berth.checks.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The unmodified fabric8 client and its informers against the server.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InformersIT {
  private TestCluster cluster;
  private KubernetesClient client;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = TestCluster.start(directory.resolve("data"));
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
            .build();
  }

  @AfterAll
  void stop() {
    client.close();
    cluster.close();
  }

  @Test
  void anInformerSeesEveryChangeOnceAndInOrder() throws Exception {
    client
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName("inf").endMetadata().build())
        .create();
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (SharedIndexInformer<ConfigMap> informer =
        client.configMaps().inNamespace("inf").withLabel("a", "b").inform(recorder(seen))) {
      for (int i = 0; i < 20; i++) {
        ConfigMap map =
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("c" + i)
                .withNamespace("inf")
                .addToLabels("a", "b")
                .endMetadata()
                .build();
        client.resource(map).create();
        client.resource(map).edit(m -> new ConfigMapBuilder(m).addToData("k", "v").build());
        client.resource(map).delete();
        assertThat(List.of(next(seen), next(seen), next(seen)))
            .containsExactly("+c" + i, "~c" + i, "-c" + i);
      }
      assertThat(informer.getStore().list()).isEmpty();
    }
  }

  @Test
  void runtimeClassesAreServedTyped() {
    RuntimeClass runtimeClass =
        new RuntimeClassBuilder()
            .withNewMetadata()
            .withName("kata")
            .endMetadata()
            .withHandler("kata-qemu")
            .build();
    client.resource(runtimeClass).serverSideApply();
    RuntimeClass patched =
        client
            .resources(RuntimeClass.class)
            .withName("kata")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"overhead\":{\"podFixed\":{\"memory\":\"64Mi\"}}}");
    assertThat(patched.getOverhead().getPodFixed().get("memory")).hasToString("64Mi");
    assertThat(client.resources(RuntimeClass.class).list().getItems())
        .extracting(RuntimeClass::getHandler)
        .contains("kata-qemu");
  }

  private static String next(BlockingQueue<String> seen) throws InterruptedException {
    String event = seen.poll(120, TimeUnit.SECONDS);
    return event == null ? "nothing in 30 s" : event;
  }

  private static ResourceEventHandler<ConfigMap> recorder(BlockingQueue<String> seen) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap map) {
        seen.add("+" + map.getMetadata().getName());
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap map) {
        seen.add("~" + map.getMetadata().getName());
      }

      @Override
      public void onDelete(ConfigMap map, boolean unknown) {
        seen.add("-" + map.getMetadata().getName());
      }
    };
  }
}
