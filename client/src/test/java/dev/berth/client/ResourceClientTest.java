package dev.berth.client;

import static dev.berth.client.Fixtures.configMap;
import static dev.berth.client.Fixtures.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.fake.FakeApi;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResourceClientTest {
  private final FakeApi server = Fixtures.server();
  private final ApiClient client = new ApiClient(server);
  private final ResourceClient<ObjectNode> configMaps = client.json(ResourceType.CONFIG_MAPS);

  @Test
  void createdObjectIsReadBackInEveryForm() {
    ConfigMap made =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("a")
            .addToLabels("color", "red")
            .addNewOwnerReference()
            .withApiVersion("apps/v1")
            .withKind("ReplicaSet")
            .withName("owner")
            .withUid("u1")
            .withBlockOwnerDeletion(true)
            .endOwnerReference()
            .endMetadata()
            .withData(Map.of("k", "v"))
            .build();

    ConfigMap created = client.typed(ResourceType.CONFIG_MAPS, ConfigMap.class).create(made);

    assertThat(created.getData()).isEqualTo(Map.of("k", "v"));
    assertThat(configMaps.get(key("a")).path("data").path("k").asText()).isEqualTo("v");
    ObjectMetadata metadata = client.metadata(ResourceType.CONFIG_MAPS).get(key("a"));
    assertThat(metadata.key()).isEqualTo(key("a"));
    assertThat(metadata.uid()).isEqualTo(created.getMetadata().getUid());
    assertThat(metadata.labels()).isEqualTo(Map.of("color", "red"));
    assertThat(metadata.owners())
        .containsExactly(new OwnerReference("apps/v1", "ReplicaSet", "owner", "u1", true));
    assertThat(metadata.isBeingDeleted()).isFalse();
  }

  @Test
  void missingObjectIsEmptyButUnknownResourceIsAnError() {
    assertThat(configMaps.find(key("none"))).isEmpty();
    ResourceType unknown = new ResourceType("example.org", "v1", "things", "Thing", true);

    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> client.json(unknown).find(key("none")));

    assertThat(refused.isNotFound()).isTrue();
    assertThat(refused.isObjectNotFound()).isFalse();
  }

  @Test
  void staleUpdateIsAConflict() {
    ObjectNode first = configMaps.create(configMap("a"));
    configMaps.update(first.deepCopy().put("immutable", false));

    ApiException refused =
        catchThrowableOfType(
            ApiException.class, () -> configMaps.update(first.deepCopy().put("immutable", true)));

    assertThat(refused.isConflict()).isTrue();
    assertThat(refused.code()).isEqualTo(409);
  }

  @Test
  void patchAndDeleteReachTheObject() {
    ObjectNode made = configMaps.create(configMap("a"));
    ObjectNode patch = ClientJson.MAPPER.createObjectNode();
    patch.putObject("data").put("k", "v");

    assertThat(configMaps.patch(key("a"), ObjectPatch.merge(patch)).at("/data/k").asText())
        .isEqualTo("v");
    assertThatThrownBy(() -> configMaps.delete(key("a"), DeleteOptions.ofUid("other")))
        .isInstanceOf(ApiException.class);
    configMaps.delete(key("a"), DeleteOptions.ofUid(made.at("/metadata/uid").asText()));

    assertThat(configMaps.find(key("a"))).isEmpty();
  }

  @Test
  void listIsReadInPages() {
    for (String name : List.of("a", "b", "c")) {
      configMaps.create(configMap(name));
    }

    ObjectList<ObjectNode> first = configMaps.list(ListQuery.ALL, ListPage.first(2));
    ObjectList<ObjectNode> second =
        configMaps.list(ListQuery.ALL, ListPage.first(2).after(first.continueToken()));

    assertThat(first.items())
        .extracting(item -> item.at("/metadata/name").asText())
        .containsExactly("a", "b");
    assertThat(second.items())
        .extracting(item -> item.at("/metadata/name").asText())
        .containsExactly("c");
    assertThat(second.items())
        .allSatisfy(item -> assertThat(item.path("kind").asText()).isEqualTo("ConfigMap"));
    assertThat(second.continueToken()).isEmpty();
  }

  @Test
  void podIsBoundToANode() {
    client.json(ResourceType.PODS).create(configMap("p"));

    client.bind(key("p"), "", "node-1");

    assertThat(client.json(ResourceType.PODS).get(key("p")).at("/spec/nodeName").asText())
        .isEqualTo("node-1");
  }

  @Test
  void answerThatIsNoListIsNeverAnEmptyList() {
    ResourceClient<ObjectNode> odd = answering(200, "{\"kind\":\"Status\",\"metadata\":{}}");

    assertThatThrownBy(() -> odd.list(ListQuery.ALL)).isInstanceOf(NoAnswerException.class);
  }

  @Test
  void listThatBreaksOffIsNeverAShorterList() {
    ResourceClient<ObjectNode> cut =
        answering(200, "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{}},");

    assertThatThrownBy(() -> cut.list(ListQuery.ALL)).isInstanceOf(NoAnswerException.class);
  }

  @Test
  void plainTextErrorKeepsItsText() {
    assertThatThrownBy(() -> answering(404, "404 page not found\n").find(key("a")))
        .isInstanceOf(ApiException.class)
        .hasMessage("404 page not found");
  }

  @Test
  void eventWhoseTypeComesLastIsUnderstood() {
    ResourceClient<ObjectNode> odd =
        answering(
            200,
            """
            {"object":{"metadata":{"name":"a"}},"type":"ADDED"}
            {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}
            """);

    try (OpenWatch<ObjectNode> watch = odd.watch(ListQuery.ALL, "1", 10)) {
      assertThat(watch.next().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
      assertThat(watch.next().orElseThrow()).isEqualTo(new WatchEvent.Bookmark<>("9"));
      assertThat(watch.next()).isEmpty();
    }
  }

  @Test
  void keyOfTheWrongScopeIsRefusedBeforeItIsSent() {
    assertThatThrownBy(() -> configMaps.get(ObjectKey.clusterScoped("a")))
        .hasMessage("configmaps are namespaced, but the key was a");
  }

  private static ResourceClient<ObjectNode> answering(int status, String body) {
    ApiTransport transport =
        new ApiTransport() {
          @Override
          public ApiResponse send(ApiRequest request) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            return new ApiResponse(status, new ByteArrayInputStream(bytes));
          }

          @Override
          public void close() {}
        };
    return new ApiClient(transport).json(ResourceType.CONFIG_MAPS);
  }
}
