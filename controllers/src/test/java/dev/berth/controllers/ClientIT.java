package dev.berth.controllers;

import static dev.berth.controllers.TestCluster.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.LeaderElection;
import dev.berth.client.ListQuery;
import dev.berth.client.NoAnswerException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceCatalog;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.ServedResource;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The client against our own server, over TLS.
final class ClientIT {
  @TempDir private Path directory;
  private RealServer server;
  private ApiClient client;
  private final DelayedActions delays = DelayedActions.realTime();

  @BeforeEach
  void start() throws IOException {
    server = RealServer.inMemory(directory.resolve("data"));
    client = server.admin();
  }

  @AfterEach
  void stop() throws IOException {
    delays.close();
    client.close();
    server.close();
  }

  @Test
  void podIsCreatedTypedBoundAndRead() {
    ResourceClient<Pod> pods = client.typed(ResourceType.PODS, Pod.class);
    client.json(ResourceType.SERVICE_ACCOUNTS).create(object("default", "default"));
    Pod made =
        pods.create(
            new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("busybox")
                .endContainer()
                .endSpec()
                .build());

    client.bind(new ObjectKey("default", "p"), made.getMetadata().getUid(), "node-1");

    Pod bound = pods.get(new ObjectKey("default", "p"));
    assertThat(bound.getSpec().getNodeName()).isEqualTo("node-1");
    assertThatThrownBy(
            () -> client.bind(new ObjectKey("default", "p"), made.getMetadata().getUid(), "node-2"))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isConflict()).isTrue());
  }

  @Test
  void informerFollowsThousandsOfWrites() {
    ResourceClient<ObjectNode> maps = client.json(ResourceType.CONFIG_MAPS);
    try (Informer<ObjectNode> informer =
        Informer.start(
            maps,
            ListQuery.inNamespace("default").withLabelSelector("app=x"),
            delays,
            Reflector.usualBackoff(new Random(1)))) {
      for (int i = 0; i < 300; i++) {
        ObjectNode map = object("default", "m" + i);
        map.withObject("/metadata").putObject("labels").put("app", i % 3 == 0 ? "y" : "x");
        maps.create(map);
      }
      Await.until(() -> informer.list().size() == 200);
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("metadata").putObject("labels").put("app", "y");

      maps.patch(new ObjectKey("default", "m1"), ObjectPatch.merge(patch));

      Await.until(() -> informer.get(new ObjectKey("default", "m1")).isEmpty());
      assertThat(informer.list()).hasSize(199);
    }
  }

  @Test
  void manyWatchesShareTheConnectionAndCloseAtOnce() throws InterruptedException {
    int before = Thread.activeCount();
    List<Informer<?>> informers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      informers.add(
          Informer.start(
              client.metadata(ResourceType.CONFIG_MAPS),
              ListQuery.named("n" + i),
              delays,
              Reflector.usualBackoff(new Random(1))));
    }
    for (Informer<?> informer : informers) {
      informer.awaitSynced();
    }
    client.json(ResourceType.CONFIG_MAPS).create(object("default", "n77"));
    Await.until(() -> informers.get(77).list().size() == 1);
    assertThat(Thread.activeCount()).as("platform threads").isLessThan(before + 50);

    informers.forEach(Informer::close);

    client.json(ResourceType.CONFIG_MAPS).get(new ObjectKey("default", "n77"));
  }

  @Test
  void closingTheClientEndsItsThreads() {
    Set<Long> before = platformThreads();
    ApiClient other = server.admin();
    other.json(ResourceType.PODS).list(ListQuery.ALL);
    assertThat(platformThreads()).isNotEqualTo(before);

    other.close();

    Await.untilAsserted(() -> assertThat(before).containsAll(platformThreads()));
  }

  /// Those of HTTP clients.
  private static Set<Long> platformThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("HttpClient-"))
        .map(Thread::threadId)
        .collect(Collectors.toSet());
  }

  @Test
  void catalogHoldsEveryKindOnceInThePreferredVersion() {
    ResourceCatalog catalog = client.discovery().discover();

    assertThat(catalog.unavailable()).isEmpty();
    assertThat(catalog.preferred())
        .extracting(ServedResource::type)
        .contains(
            ResourceType.PODS,
            ResourceType.DEPLOYMENTS,
            ResourceType.LEASES,
            ResourceType.RUNTIME_CLASSES)
        .extracting(ResourceType::qualifiedPlural)
        .doesNotHaveDuplicates();
    assertThat(catalog.ofKind("node.k8s.io", "RuntimeClass").orElseThrow().type())
        .isEqualTo(ResourceType.RUNTIME_CLASSES);
  }

  @Test
  void serverOfAnotherAuthorityIsNotTrusted() {
    ClusterPki other = ClusterPki.open(directory.resolve("other"), Clock.systemUTC(), List.of());
    ClientConfig config =
        ClientConfig.of(
            URI.create(server.url()),
            other.authorityPem(),
            other.client(ClientIdentity.ADMIN).certificatePem(),
            other.client(ClientIdentity.ADMIN).keyPem());

    try (ApiClient stranger = ApiClient.open(config)) {
      assertThatThrownBy(() -> stranger.discovery().discover())
          .isInstanceOf(NoAnswerException.class)
          .hasMessageContaining(server.url());
    }
  }

  @Test
  void certificateOfAnotherAuthorityIsRefused() {
    ClusterPki other = ClusterPki.open(directory.resolve("other"), Clock.systemUTC(), List.of());
    ClientConfig config =
        ClientConfig.of(
            URI.create(server.url()),
            server.as(ClientIdentity.ADMIN).authority(),
            other.client(ClientIdentity.ADMIN).certificatePem(),
            other.client(ClientIdentity.ADMIN).keyPem());

    try (ApiClient stranger = ApiClient.open(config)) {
      assertThatThrownBy(() -> stranger.json(ResourceType.SECRETS).list(ListQuery.ALL))
          .isInstanceOf(dev.berth.client.ClientException.class);
    }
  }

  @Test
  void oneOfTwoCandidatesLeads() {
    AtomicInteger running = new AtomicInteger();
    LeaderElection first = candidate("first", running);
    Await.until(() -> running.get() == 1);
    try (LeaderElection second = candidate("second", running)) {
      first.close();
      Await.until(second::isLeading);
      assertThat(running).hasValue(1);
    }
  }

  private LeaderElection candidate(String name, AtomicInteger running) {
    return LeaderElection.start(
        client,
        new ObjectKey("kube-system", "test"),
        name,
        LeaderElection.Timing.USUAL,
        Clock.systemUTC(),
        () -> {
          running.incrementAndGet();
          return running::decrementAndGet;
        });
  }
}
