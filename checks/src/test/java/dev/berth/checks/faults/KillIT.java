package dev.berth.checks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was acknowledged is found again, however hard the server was stopped.
class KillIT {
  private static final int WRITERS = 8;
  private static final int ROUNDS = 3;

  @Test
  void everyAcknowledgedWriteSurvivesAKill(@TempDir Path directory) throws Exception {
    Set<String> acknowledged = new ConcurrentSkipListSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      ServerProcess server = ServerProcess.start(directory);
      CountDownLatch enough = new CountDownLatch(200);
      List<Thread> writers = new ArrayList<>();
      KubernetesClient client = server.client();
      for (int writer = 0; writer < WRITERS; writer++) {
        String prefix = "r" + round + "-w" + writer + "-";
        writers.add(Thread.ofVirtual().start(() -> write(client, prefix, acknowledged, enough)));
      }
      assertThat(enough.await(120, TimeUnit.SECONDS)).isTrue();
      server.kill();
      for (Thread writer : writers) {
        writer.join();
      }
      client.close();
    }
    try (ServerProcess server = ServerProcess.start(directory);
        KubernetesClient client = server.client()) {
      Set<String> found = new TreeSet<>();
      client
          .configMaps()
          .inNamespace("default")
          .list()
          .getItems()
          .forEach(map -> found.add(map.getMetadata().getName()));
      assertThat(found).containsAll(acknowledged);
      assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ROUNDS * 200);
    }
  }

  private static void write(
      KubernetesClient client, String prefix, Set<String> acknowledged, CountDownLatch enough) {
    for (int i = 0; ; i++) {
      ConfigMap map =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName(prefix + i)
              .withNamespace("default")
              .endMetadata()
              .build();
      try {
        client.resource(map).create();
      } catch (KubernetesClientException e) {
        return;
      }
      acknowledged.add(prefix + i);
      enough.countDown();
    }
  }
}
