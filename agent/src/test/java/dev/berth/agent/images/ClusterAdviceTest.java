package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import dev.berth.registry.platforms.PlatformMismatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an agent knows of other nodes that could run an image.
final class ClusterAdviceTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SENTENCE =
      "image web:1 has no entry for linux/amd64; it has linux/arm64; ";

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final FakeApi server =
      new FakeApi(
          List.of(
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.CONFIG_MAPS,
              ResourceType.RUNTIME_CLASSES),
          time);
  private final ClusterAdvice advice = new ClusterAdvice(new ApiClient(server), "n1", time);

  @Test
  void publishedNodesAndClassesAreNamed() {
    server.createNamespace("kube-public");
    publish(
        "[{'runtimeClass':'arm','platforms':[{'platform':'linux/arm64'}],'nodes':['n7'],'count':1}]");

    assertThat(describe())
        .isEqualTo(SENTENCE + "RuntimeClass arm on node n7 could run linux/arm64");
  }

  @Test
  void agentOfAnotherControlPlaneNamesItsOwnClasses() {
    ObjectNode node = object("n1");
    node.withObject("/metadata/labels")
        .put("kubernetes.io/os", "linux")
        .put("kubernetes.io/arch", "amd64");
    node.withObject("/metadata/annotations")
        .put(
            "berth.dev/runtime-services",
            json("{'main':{'workloadType':'container','default':true,'handlers':['emu'],"
                    + "'platforms':{'emu':'linux/arm64'}}}")
                .toString());
    ObjectNode _ = server.create(ResourceType.NODES, node);
    ObjectNode _ = server.create(ResourceType.RUNTIME_CLASSES, object("arm").put("handler", "emu"));

    assertThat(describe())
        .isEqualTo(SENTENCE + "RuntimeClass arm on node n1 could run linux/arm64");
  }

  @Test
  void withoutAnyKnowledgeTheSentenceStillSaysWhatToDo() {
    assertThat(describe())
        .isEqualTo(
            "image web:1 has no entry for linux/amd64; it has linux/arm64. "
                + PlatformMismatch.REMEDY);
  }

  @Test
  void answerIsKeptForAMoment() {
    server.createNamespace("kube-public");
    publish("[]");
    String nothing = SENTENCE + "no node and no RuntimeClass of the cluster could run it";
    assertThat(describe()).isEqualTo(nothing);
    server.delete(
        ResourceType.CONFIG_MAPS, new ObjectKey("kube-public", "berth-runtimes"), "Background");
    publish("[{'platforms':[{'platform':'linux/arm64'}],'nodes':['n8'],'count':1}]");
    assertThat(describe()).isEqualTo(nothing);

    time.advance(Duration.ofSeconds(11));

    assertThat(describe()).isEqualTo(SENTENCE + "node n8 could run linux/arm64");
  }

  private String describe() {
    return advice.describe(new PlatformMismatch("web:1", "linux/amd64", List.of("linux/arm64")));
  }

  private void publish(String platforms) {
    ObjectNode map = object("berth-runtimes");
    map.withObject("/metadata").put("namespace", "kube-public");
    map.putObject("data").put("platforms", platforms.replace('\'', '"'));
    ObjectNode _ = server.create(ResourceType.CONFIG_MAPS, map);
  }

  private static ObjectNode object(String name) {
    return json("{'metadata':{'name':'%s'}}".formatted(name));
  }

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
