package dev.berth.controllers;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.server.pki.ClientIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Quotas of our own server, counted by a controller with the rights that it is given.
final class QuotaIT {
  @TempDir private Path directory;
  private RealServer server;
  private ApiClient client;
  private RunningControllers controllers;
  private ResourceClient<ObjectNode> quotas;
  private ResourceClient<ObjectNode> maps;

  @BeforeEach
  void start() throws IOException {
    server = RealServer.inMemory(directory);
    client = server.admin();
    controllers =
        RunningControllers.start(
            server.as(ClientIdentity.CONTROLLERS), Clock.systemUTC(), new Random(1));
    quotas = client.json(ResourceType.RESOURCE_QUOTAS);
    maps = client.json(ResourceType.CONFIG_MAPS);
    client
        .json(ResourceType.NAMESPACES)
        .create(json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'t1'}}"));
    // Every namespace gets one, which the quota counts as well.
    Await.until(() -> exists("kube-root-ca.crt"));
  }

  @AfterEach
  void stop() throws IOException {
    controllers.close();
    client.close();
    server.close();
  }

  @Test
  void manyAtOnceNeverExceedAQuota() throws Exception {
    quota("configmaps", 41);
    int created = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> creations = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String name = "map-" + i;
        creations.add(threads.submit(() -> isCreated(name)));
      }
      for (Future<Boolean> creation : creations) {
        created += creation.get() ? 1 : 0;
      }
    }
    assertThat(created).isEqualTo(40);
    assertThat(maps.list(ListQuery.inNamespace("t1"))).hasSize(41);
    assertThat(used()).isEqualTo("configmaps=41");
  }

  @Test
  void deletionsFreeAtOnceAndFailedWritesCostNothing() {
    quota("configmaps", 2);
    create("a");
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> create("a")).isInstanceOf(ApiException.class);
    }
    assertThatThrownBy(() -> create("b"))
        .hasMessageContaining(
            "configmaps \"b\" is forbidden: exceeded quota: q, requested: configmaps=1, used:"
                + " configmaps=2, limited: configmaps=2");
    maps.delete(new ObjectKey("t1", "a"), DeleteOptions.DEFAULT);
    assertThat(used()).isEqualTo("configmaps=1");
    create("b");
    assertThat(used()).isEqualTo("configmaps=2");
  }

  private void quota(String resource, int hard) {
    quotas.create(
        json(
            "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'namespace':'t1','name':'q'},'spec':{'hard':{'%s':'%d'}}}"
                .formatted(resource, hard)));
    Await.until(() -> used().equals(resource + "=1"));
  }

  private String used() {
    return ResourceAmounts.of(quotas.get(new ObjectKey("t1", "q")).path("status").path("used"))
        .toString();
  }

  private boolean exists(String map) {
    return maps.find(new ObjectKey("t1", map)).isPresent();
  }

  private void create(String name) {
    maps.create(
        json(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':'t1','name':'%s'}}"
                .formatted(name)));
  }

  private boolean isCreated(String name) {
    try {
      create(name);
      return true;
    } catch (ApiException e) {
      assertThat(e.getMessage()).contains("exceeded quota: q");
      return false;
    }
  }
}
