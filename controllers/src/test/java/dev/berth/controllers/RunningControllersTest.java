package dev.berth.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.berth.client.ApiClient;
import dev.berth.client.LeaderElection;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunningControllersTest {
  private static final Pattern OUR_THREAD =
      Pattern.compile(
          "\"((reflector|gc-|garbage|namespace|default-|root-|system-|event-|node-|advertised-|berth-)[^\"]*)\"");

  private final FakeApi server =
      new FakeApi(
          List.of(
              ResourceType.NAMESPACES,
              ResourceType.CONFIG_MAPS,
              ResourceType.EVENTS,
              ResourceType.SERVICE_ACCOUNTS,
              ResourceType.LEASES,
              ResourceType.RUNTIME_CLASSES,
              ResourceType.NODES),
          InstantSource.system());
  private final ApiClient client = new ApiClient(server);

  @TempDir Path directory;

  @Test
  void freshClusterGetsItsNamespacesAccountsAndCertificates() {
    try (RunningControllers controllers = start()) {
      Await.untilAsserted(
          () -> {
            assertThat(names(ResourceType.SERVICE_ACCOUNTS))
                .containsExactly(
                    "default/default",
                    "kube-node-lease/default",
                    "kube-public/default",
                    "kube-system/default");
            assertThat(names(ResourceType.CONFIG_MAPS)).hasSize(5);
          });
      assertThat(controllers.stats())
          .containsOnlyKeys(
              "system-namespaces",
              "default-service-accounts",
              "root-certificates",
              "namespace-termination",
              "garbage-collector",
              "event-expiry",
              "account-tokens",
              "join-token-expiry",
              "node-lifecycle",
              "advertised-runtimes",
              "role-aggregation",
              "resource-quotas",
              "taint-eviction",
              "stranded-pods",
              "replica-sets",
              "deployments",
              "daemon-sets");
    }
  }

  @Test
  void namespaceWithEverythingInItGoes() {
    try (RunningControllers _ = start()) {
      server.createNamespace("team");
      Await.until(() -> names(ResourceType.SERVICE_ACCOUNTS).contains("team/default"));

      server.delete(ResourceType.NAMESPACES, ObjectKey.clusterScoped("team"), "Background");

      Await.until(
          () -> server.find(ResourceType.NAMESPACES, ObjectKey.clusterScoped("team")).isEmpty());
      assertThat(names(ResourceType.SERVICE_ACCOUNTS)).doesNotContain("team/default");
      assertThat(names(ResourceType.CONFIG_MAPS)).doesNotContain("team/kube-root-ca.crt");
    }
  }

  @Test
  void closingLeavesNoThreadAndNoWatchBehind() throws IOException {
    try (RunningControllers _ = start()) {
      Await.until(() -> names(ResourceType.SERVICE_ACCOUNTS).size() == 4);
      assertThat(ourThreads()).isNotEmpty();
    }

    assertThat(server.openWatches()).isZero();
    // The timer's thread was told to end and does so in its own time.
    Await.untilAsserted(() -> assertThat(ourThreads()).isEmpty());
  }

  @Test
  void onlyTheElectedProcessRunsTheLoops() {
    server.createNamespace("kube-system");
    LeaderElection first = elected("first");
    Await.until(() -> names(ResourceType.SERVICE_ACCOUNTS).size() == 4);
    try (LeaderElection second = elected("second")) {
      assertThat(second.isLeading()).isFalse();

      first.close();

      Await.until(second::isLeading);
      server.createNamespace("team");
      Await.until(() -> names(ResourceType.SERVICE_ACCOUNTS).contains("team/default"));
    }
  }

  private LeaderElection elected(String identity) {
    return RunningControllers.startElected(
        client, identity, "PEM", null, InstantSource.system(), new Random(1));
  }

  @Test
  void serverThatIsNotThereYetIsWaitedFor() {
    var down = server.mute(_ -> true);
    try (RunningControllers _ = start()) {
      down.close();

      Await.until(() -> names(ResourceType.SERVICE_ACCOUNTS).size() == 4);
    }
  }

  private RunningControllers start() {
    return RunningControllers.start(client, "PEM", InstantSource.system(), new Random(1));
  }

  private Set<String> names(ResourceType type) {
    Set<String> names = new TreeSet<>();
    server
        .list(type)
        .forEach(
            object ->
                names.add(
                    object.at("/metadata/namespace").asText()
                        + "/"
                        + object.at("/metadata/name").asText()));
    return names;
  }

  private Set<String> ourThreads() throws IOException {
    Path dump = directory.resolve("threads-" + System.nanoTime());
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(
            dump.toAbsolutePath().toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    Set<String> names = new TreeSet<>();
    for (String line : Files.readAllLines(dump)) {
      var matcher = OUR_THREAD.matcher(line);
      if (line.startsWith("#") && matcher.find()) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }
}
