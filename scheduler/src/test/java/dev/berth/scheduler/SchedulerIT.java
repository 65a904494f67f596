package dev.berth.scheduler;

import static dev.berth.scheduler.model.TestObjects.json;
import static dev.berth.scheduler.model.TestObjects.nodeTree;
import static dev.berth.scheduler.model.TestObjects.podTree;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerConfig;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.KeyAndCertificate;
import dev.berth.store.StoreLimits;
import dev.berth.store.embedded.EmbeddedStore;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The scheduler with its own rights on our API server.
final class SchedulerIT {
  @TempDir private Path directory;

  @Test
  void podsOfAClassWaitForItsRuntimeAndAreBoundWhenItIsReady() throws Exception {
    Clock clock = Clock.systemUTC();
    PrometheusRegistry registry = new PrometheusRegistry();
    try (ApiServer server =
            ApiServer.start(
                ServerConfig.of(directory, InetAddress.getLoopbackAddress(), 0),
                codec -> EmbeddedStore.inMemory(codec, StoreLimits.DEFAULT, clock),
                clock);
        ApiClient admin = ApiClient.open(ClientConfig.fromKubeconfig(server.kubeconfig()));
        ApiClient own = ApiClient.open(as(server, ClientIdentity.SCHEDULER));
        AutoCloseable _ =
            RunningScheduler.startElected(
                own,
                "test",
                SchedulerProfile.DEFAULT,
                new SchedulerMetrics(registry, clock),
                clock,
                new Random())) {
      prepare(admin);
      admin.json(ResourceType.PODS).create(pod());
      Await.untilAsserted(
          () ->
              assertThat(condition(admin))
                  .isEqualTo(
                      "0/1 nodes are available: 1 node(s) have handler runsc but its runtime service"
                          + " is not ready."));

      report(admin, true);

      Await.untilAsserted(
          () -> assertThat(get(admin).at("/spec/nodeName").asText()).isEqualTo("a"));
      assertThat(get(admin).at("/spec/overhead/cpu").asText()).isEqualTo("100m");
      Await.untilAsserted(
          () ->
              assertThat(admin.json(ResourceType.EVENTS).list(ListQuery.inNamespace("default")))
                  .extracting(event -> event.path("reason").asText())
                  .contains("FailedScheduling", "Scheduled"));
      assertThat(registry.scrape().stream().map(one -> one.getMetadata().getName()))
          .contains("scheduler_schedule_attempts", "scheduler_pending_pods");
    }
  }

  private static ClientConfig as(ApiServer server, ClientIdentity identity) {
    KeyAndCertificate credential = server.credential(identity);
    return ClientConfig.of(
        URI.create(server.url()),
        server.authorityPem(),
        credential.certificatePem(),
        credential.keyPem());
  }

  private static void prepare(ApiClient admin) {
    admin
        .json(ResourceType.SERVICE_ACCOUNTS)
        .create(json("{'metadata':{'namespace':'default','name':'default'}}"));
    admin
        .json(ResourceType.RUNTIME_CLASSES)
        .create(
            json(
                "{'metadata':{'name':'gvisor'},'handler':'runsc','overhead':{'podFixed':{'cpu':'100m'}}}"));
    admin
        .json(ResourceType.NODES)
        .create(nodeTree("a", service("sandbox", "container", "runsc", false)));
    report(admin, false);
  }

  /// What the agent writes: the conditions, through the status subresource, and no taints.
  private static void report(ApiClient admin, boolean ready) {
    ObjectNode node = nodeTree("a", service("sandbox", "container", "runsc", ready));
    ObjectNode status = json("{}");
    status.set("status", node.get("status"));
    ObjectKey key = ObjectKey.clusterScoped("a");
    admin.json(ResourceType.NODES).patch(key, ObjectPatch.merge(status), "status");
    admin.json(ResourceType.NODES).patch(key, ObjectPatch.merge(json("{'spec':{'taints':null}}")));
  }

  private static ObjectNode pod() {
    ObjectNode pod = podTree("p", requests(100, 10) + ",'runtimeClassName':'gvisor'");
    pod.withObject("/metadata").remove("uid");
    return pod;
  }

  private static ObjectNode get(ApiClient admin) {
    return admin.json(ResourceType.PODS).get(new ObjectKey("default", "p"));
  }

  private static String condition(ApiClient admin) {
    for (var condition : get(admin).at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition.path("message").asText();
      }
    }
    return "";
  }
}
