package dev.berth.controllers;

import static dev.berth.controllers.TestCluster.object;
import static dev.berth.controllers.TestCluster.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.server.pki.ClientIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/// All loops against our own server, over TLS, with the rights that controllers are given.
final class RunningControllersIT {
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;

  @TempDir private Path directory;
  private RealServer server;
  private ApiClient client;
  private ResourceClient<ObjectNode> maps;
  private RunningControllers controllers;

  @BeforeEach
  void start(TestInfo test) throws IOException {
    boolean durable = test.getTags().contains("durable");
    server = durable ? RealServer.durable(directory, 0) : RealServer.inMemory(directory);
    client = server.admin();
    maps = client.json(MAPS);
    controllers = startControllers();
  }

  private RunningControllers startControllers() {
    return RunningControllers.start(
        server.as(ClientIdentity.CONTROLLERS), Clock.systemUTC(), new Random(1));
  }

  @AfterEach
  void stop() throws IOException {
    controllers.close();
    client.close();
    server.close();
  }

  @Test
  void everyNamespaceHasItsAccountAndTheRootCertificate() {
    client.json(ResourceType.NAMESPACES).create(object("", "team"));

    Await.untilAsserted(
        () -> {
          for (String name :
              Set.of("default", "kube-system", "kube-public", "kube-node-lease", "team")) {
            assertThat(exists(ResourceType.SERVICE_ACCOUNTS, name, "default")).as(name).isTrue();
            assertThat(exists(MAPS, name, "kube-root-ca.crt")).as(name).isTrue();
          }
        });
    assertThat(maps.get(new ObjectKey("team", "kube-root-ca.crt")).at("/data/ca.crt").asText())
        .isEqualTo(server.as(ClientIdentity.CONTROLLERS).authority());
  }

  @Test
  void aSecretForAnAccountGetsATokenAndGoesWithTheAccount() {
    ResourceClient<ObjectNode> accounts = client.json(ResourceType.SERVICE_ACCOUNTS);
    ResourceClient<ObjectNode> secrets = client.json(ResourceType.SECRETS);
    accounts.create(object("default", "robot"));
    ObjectNode secret =
        object("default", "robot-token").put("type", "kubernetes.io/service-account-token");
    secret
        .withObject("/metadata")
        .putObject("annotations")
        .put("kubernetes.io/service-account.name", "robot");
    secrets.create(secret);

    ObjectKey key = new ObjectKey("default", "robot-token");
    Await.until(() -> secrets.get(key).path("data").has("token"));
    assertThat(decoded(secrets.get(key), "namespace")).isEqualTo("default");
    assertThat(decoded(secrets.get(key), "ca.crt"))
        .isEqualTo(server.as(ClientIdentity.CONTROLLERS).authority());
    String review =
        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":"
            + "{\"token\":\"%s\"}}".formatted(decoded(secrets.get(key), "token"));
    assertThat(
            client
                .exchange(
                    ApiRequest.of(
                        "POST",
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "application/json",
                        "application/json",
                        review.getBytes(StandardCharsets.UTF_8)))
                .at("/status/user/username")
                .asText())
        .isEqualTo("system:serviceaccount:default:robot");

    accounts.delete(new ObjectKey("default", "robot"), DeleteOptions.DEFAULT);
    Await.until(() -> !exists(ResourceType.SECRETS, "default", "robot-token"));
  }

  private static String decoded(ObjectNode secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.path("data").path(key).asText()), StandardCharsets.UTF_8);
  }

  @Test
  void aggregatedRolesShowTheirRules() {
    ResourceClient<ObjectNode> roles = client.json(ResourceType.CLUSTER_ROLES);

    Await.untilAsserted(
        () -> {
          for (String name : Set.of("admin", "edit", "view")) {
            assertThat(roles.get(ObjectKey.clusterScoped(name)).path("rules"))
                .as(name)
                .isNotEmpty();
          }
        });
  }

  @Test
  void deletedNamespaceIsEmptiedAndGoes() {
    ResourceClient<ObjectNode> namespaces = client.json(ResourceType.NAMESPACES);
    namespaces.create(object("", "team"));
    Await.until(() -> exists(ResourceType.SERVICE_ACCOUNTS, "team", "default"));
    maps.create(object("team", "a"));
    maps.create(held(object("team", "held")));

    namespaces.delete(ObjectKey.clusterScoped("team"), DeleteOptions.DEFAULT);

    Await.untilAsserted(
        () ->
            assertThat(
                    namespaces
                        .get(ObjectKey.clusterScoped("team"))
                        .at("/status/conditions")
                        .toString())
                .contains("example.org/hold in 1 resource instances"));
    assertThat(exists(MAPS, "team", "a")).isFalse();
    release("team", "held");
    Await.until(() -> !exists(ResourceType.NAMESPACES, "", "team"));
    assertThat(names("team")).isEmpty();
  }

  @Test
  void dependentsGoWithTheirOwner() {
    ObjectNode owner = maps.create(object("default", "owner"));
    for (int i = 0; i < 200; i++) {
      maps.create(ownedBy(object("default", "d" + i), owner, true));
    }
    maps.create(object("default", "free"));

    delete("owner", Propagation.BACKGROUND);

    Await.untilAsserted(
        () -> assertThat(names("default")).containsExactlyInAnyOrder("free", "kube-root-ca.crt"));
  }

  @Test
  void foregroundDeletionTakesTheDependentsFirst() {
    ObjectNode owner = maps.create(object("default", "owner"));
    maps.create(held(ownedBy(object("default", "held"), owner, true)));

    delete("owner", Propagation.FOREGROUND);

    Await.until(() -> client.metadata(MAPS).get(new ObjectKey("default", "held")).isBeingDeleted());
    assertThat(exists(MAPS, "default", "owner")).isTrue();
    release("default", "held");
    Await.until(() -> !exists(MAPS, "default", "owner"));
  }

  @Test
  void circleOfOwnersIsDeletedInTheForeground() {
    ObjectNode a = maps.create(object("default", "a"));
    ObjectNode b = maps.create(ownedBy(object("default", "b"), a, true));
    maps.update(ownedBy(a, b, true));

    delete("a", Propagation.FOREGROUND);

    Await.until(() -> !exists(MAPS, "default", "a") && !exists(MAPS, "default", "b"));
  }

  @Test
  void objectWithAnotherOwnerStaysAndForgetsTheOneThatIsGone() {
    ObjectNode first = maps.create(object("default", "first"));
    ObjectNode second = maps.create(object("default", "second"));
    maps.create(ownedBy(ownedBy(object("default", "child"), first, true), second, false));

    delete("first", Propagation.BACKGROUND);

    Await.untilAsserted(
        () ->
            assertThat(maps.get(new ObjectKey("default", "child")).at("/metadata/ownerReferences"))
                .extracting(reference -> reference.path("name").asText())
                .containsExactly("second"));
  }

  @Test
  void orphansStay() {
    ObjectNode owner = maps.create(object("default", "owner"));
    maps.create(ownedBy(object("default", "child"), owner, true));

    delete("owner", Propagation.ORPHAN);

    Await.until(() -> !exists(MAPS, "default", "owner"));
    assertThat(maps.get(new ObjectKey("default", "child")).at("/metadata").has("ownerReferences"))
        .isFalse();
  }

  @Test
  void whatHappenedWhileNoControllerRanIsMadeUpFor() {
    ObjectNode owner = maps.create(object("default", "owner"));
    maps.create(ownedBy(object("default", "child"), owner, true));
    controllers.close();
    delete("owner", Propagation.BACKGROUND);
    client.json(ResourceType.NAMESPACES).create(object("", "late"));
    assertThat(exists(MAPS, "default", "child")).isTrue();

    controllers = startControllers();

    Await.until(() -> !exists(MAPS, "default", "child"));
    Await.until(() -> exists(ResourceType.SERVICE_ACCOUNTS, "late", "default"));
  }

  @Test
  @Tag("durable")
  void loopsFindTheServerAgainAfterItsRestart() throws IOException {
    Await.until(() -> exists(ResourceType.SERVICE_ACCOUNTS, "default", "default"));
    ObjectNode owner = maps.create(object("default", "owner"));
    maps.create(ownedBy(object("default", "child"), owner, true));
    int port = URI.create(server.url()).getPort();

    server.close();
    server = RealServer.durable(directory, port);

    Await.untilAsserted(() -> delete("owner", Propagation.BACKGROUND));
    Await.until(() -> !exists(MAPS, "default", "child"));
  }

  private static ObjectNode held(ObjectNode object) {
    object.withObject("/metadata").putArray("finalizers").add("example.org/hold");
    return object;
  }

  private void release(String namespace, String name) {
    ObjectNode live = maps.get(new ObjectKey(namespace, name));
    live.withObject("/metadata").remove("finalizers");
    maps.update(live);
  }

  private void delete(String name, Propagation policy) {
    maps.delete(new ObjectKey("default", name), DeleteOptions.DEFAULT.with(policy));
  }

  private boolean exists(ResourceType type, String namespace, String name) {
    return client.metadata(type).find(new ObjectKey(namespace, name)).isPresent();
  }

  private Set<String> names(String namespace) {
    return client.metadata(MAPS).list(ListQuery.inNamespace(namespace)).stream()
        .map(object -> object.key().name())
        .collect(Collectors.toSet());
  }
}
