package dev.berth.checks.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers on one etcd are one API; either may die.
class TwoServersIT {
  @Test
  void whatOneServerWritesTheOtherServesAndEitherMayDie(@TempDir Path directory) throws Exception {
    assumeTrue(EtcdProcess.isInstalled(), "etcd is not on PATH (Debian: etcd-server)");
    try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
      String[] flags = {"--store", "etcd", "--etcd-servers", etcd.url()};
      ServerProcess first = ServerProcess.start(directory.resolve("first"), flags);
      try (ServerProcess second = ServerProcess.start(directory.resolve("second"), flags);
          KubernetesClient one = first.client();
          KubernetesClient two = second.client()) {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (Watch watch = two.configMaps().inNamespace("default").watch(names(seen))) {
          assertThat(watch).isNotNull();
          String uid = one.resource(map("a")).create().getMetadata().getUid();
          assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("a");
          ConfigMap read = two.configMaps().inNamespace("default").withName("a").get();
          assertThat(read.getMetadata().getUid()).isEqualTo(uid);
        }
        first.kill();
        two.resource(map("b")).create();
        assertThat(two.configMaps().inNamespace("default").list().getItems())
            .extracting(item -> item.getMetadata().getName())
            .contains("a", "b");
      } finally {
        first.kill();
      }
    }
  }

  /// Every request goes to the server that did not write.
  @Test
  void whatOneAcknowledgedTheOtherKnowsAtOnce(@TempDir Path directory) throws Exception {
    assumeTrue(EtcdProcess.isInstalled(), "etcd is not on PATH (Debian: etcd-server)");
    try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
      String[] flags = {"--store", "etcd", "--etcd-servers", etcd.url()};
      try (ServerProcess first = ServerProcess.start(directory.resolve("first"), flags);
          ServerProcess second = ServerProcess.start(directory.resolve("second"), flags);
          KubernetesClient one = first.client();
          KubernetesClient two = second.client()) {
        for (int i = 0; i < 50; i++) {
          String name = "map-" + i;
          ConfigMap made = one.resource(map(name)).create();
          made.setData(Map.of("round", "" + i));
          // A write that insists on the revision which the other server gave.
          ConfigMap changed = two.resource(made).update();
          assertThat(one.resource(map(name)).get()).isEqualTo(changed);
          assertThat(two.resource(map(name)).delete()).isNotEmpty();
          assertThat(one.resource(map(name)).get()).isNull();
          assertThat(one.configMaps().inNamespace("default").list().getItems())
              .extracting(item -> item.getMetadata().getName())
              .doesNotContain(name);
        }
      }
    }
  }

  @Test
  void withOneCertificateDirectoryTheyBelieveTheSameUsers(@TempDir Path directory)
      throws Exception {
    assumeTrue(EtcdProcess.isInstalled(), "etcd is not on PATH (Debian: etcd-server)");
    try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
      String[] flags = {
        "--store=etcd",
        "--etcd-servers=" + etcd.url(),
        "--cert-dir=" + directory.resolve("shared"),
        "--tls-sans=api.example.com"
      };
      try (ServerProcess first = ServerProcess.start(directory.resolve("first"), flags);
          ServerProcess second = ServerProcess.start(directory.resolve("second"), flags);
          KubernetesClient one = first.client()) {
        String token = token(one);
        try (KubernetesClient robot = second.clientWithToken(token);
            KubernetesClient admin = second.clientWith(first.kubeconfig())) {
          assertThat(whoAmI(robot)).isEqualTo("system:serviceaccount:default:robot");
          assertThat(whoAmI(admin)).isEqualTo("kubernetes-admin");
        }
      }
    }
  }

  private static String token(KubernetesClient client) {
    ServiceAccount robot =
        new ServiceAccountBuilder()
            .withNewMetadata()
            .withName("robot")
            .withNamespace("default")
            .endMetadata()
            .build();
    client.resource(robot).create();
    return client
        .serviceAccounts()
        .inNamespace("default")
        .withName("robot")
        .tokenRequest()
        .getStatus()
        .getToken();
  }

  private static String whoAmI(KubernetesClient client) {
    return client
        .resource(new SelfSubjectReviewBuilder().build())
        .create()
        .getStatus()
        .getUserInfo()
        .getUsername();
  }

  private static ConfigMap map(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .build();
  }

  private static Watcher<ConfigMap> names(BlockingQueue<String> seen) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {
        if (!map.getMetadata().getName().startsWith("kube-")) {
          seen.add(map.getMetadata().getName());
        }
      }

      @Override
      public void onClose(WatcherException cause) {}
    };
  }
}
