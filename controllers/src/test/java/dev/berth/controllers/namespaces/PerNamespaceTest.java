package dev.berth.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import dev.berth.controllers.loops.ControllerLoop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PerNamespaceTest {
  private static final ObjectKey PUBLISHED = new ObjectKey("default", "kube-root-ca.crt");

  private final TestCluster cluster = new TestCluster();
  private final Informer<ObjectMetadata> namespaces = cluster.namespaces();

  @AfterEach
  void close() {
    namespaces.close();
    cluster.close();
  }

  @Test
  void everyNamespaceHasItsServiceAccountAgainAndAgain() {
    try (ControllerLoop _ = DefaultServiceAccounts.start(cluster.context(), namespaces)) {
      cluster.server().createNamespace("team");
      Await.until(() -> cluster.exists(ResourceType.SERVICE_ACCOUNTS, "default", "default"));
      Await.until(() -> cluster.exists(ResourceType.SERVICE_ACCOUNTS, "team", "default"));
      String first = uid(ResourceType.SERVICE_ACCOUNTS, new ObjectKey("team", "default"));

      cluster
          .server()
          .delete(ResourceType.SERVICE_ACCOUNTS, new ObjectKey("team", "default"), "Background");

      Await.untilAsserted(
          () ->
              assertThat(uid(ResourceType.SERVICE_ACCOUNTS, new ObjectKey("team", "default")))
                  .isNotEmpty()
                  .isNotEqualTo(first));
    }
  }

  @Test
  void terminatingNamespaceGetsNothing() {
    cluster.server().createNamespace("team");
    cluster.server().delete(ResourceType.NAMESPACES, ObjectKey.clusterScoped("team"), "Background");
    List<String> creations = new CopyOnWriteArrayList<>();
    cluster
        .server()
        .onRequest(
            request -> {
              if (request.method().equals("POST")) {
                creations.add(request.target());
              }
            });

    try (ControllerLoop loop = DefaultServiceAccounts.start(cluster.context(), namespaces)) {
      Await.until(() -> cluster.exists(ResourceType.SERVICE_ACCOUNTS, "default", "default"));
      Await.until(() -> loop.stats().depth() == 0 && loop.stats().running() == 0);
    }
    assertThat(creations).containsExactly("/api/v1/namespaces/default/serviceaccounts");
  }

  @Test
  void rootCertificateIsPublishedAndRepaired() {
    try (ControllerLoop _ = RootCertificates.start(cluster.context(), namespaces, "PEM")) {
      Await.until(() -> published().equals("PEM"));
      ObjectNode live = cluster.server().find(ResourceType.CONFIG_MAPS, PUBLISHED).orElseThrow();

      live.putObject("data").put("ca.crt", "something else").put("more", "x");
      cluster.context().client().json(ResourceType.CONFIG_MAPS).update(live);

      Await.until(() -> published().equals("PEM"));
      assertThat(cluster.server().list(ResourceType.CONFIG_MAPS).getFirst().path("data"))
          .hasSize(1);
    }
  }

  @Test
  void certificateThatSomebodyMadeImmutableIsReplaced() {
    ObjectNode wrong = TestCluster.object("default", "kube-root-ca.crt");
    wrong.put("immutable", true).putObject("data").put("ca.crt", "wrong");
    cluster.server().create(ResourceType.CONFIG_MAPS, wrong);

    try (ControllerLoop _ = RootCertificates.start(cluster.context(), namespaces, "PEM")) {
      Await.until(() -> published().equals("PEM"));
    }
  }

  @Test
  void systemNamespacesAreMadeWhenTheyAreMissing() {
    try (ControllerLoop _ = new SystemNamespaces(cluster.context(), namespaces)) {
      Await.untilAsserted(
          () ->
              assertThat(cluster.server().list(ResourceType.NAMESPACES))
                  .extracting(namespace -> namespace.at("/metadata/name").asText())
                  .containsExactly("default", "kube-node-lease", "kube-public", "kube-system"));
      ObjectNode live =
          cluster
              .server()
              .find(ResourceType.NAMESPACES, ObjectKey.clusterScoped("kube-public"))
              .orElseThrow();
      live.withObject("/spec").putArray("finalizers");
      var client = cluster.context().client().json(ResourceType.NAMESPACES);
      client.update(live, "finalize");
      client.delete(ObjectKey.clusterScoped("kube-public"), DeleteOptions.DEFAULT);

      Await.until(() -> cluster.exists(ResourceType.NAMESPACES, "", "kube-public"));
    }
  }

  private String published() {
    return cluster
        .server()
        .find(ResourceType.CONFIG_MAPS, PUBLISHED)
        .map(configMap -> configMap.at("/data/ca.crt").asText())
        .orElse("");
  }

  private String uid(ResourceType type, ObjectKey key) {
    return cluster
        .server()
        .find(type, key)
        .map(object -> object.at("/metadata/uid").asText())
        .orElse("");
  }
}
