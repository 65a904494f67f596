package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeRoutesTest {
  @Test
  void aNodeWithoutPodsHasAnEmptyListOfThem() throws Exception {
    assertThat(new String(NodeRoutes.podList(List.of()), StandardCharsets.UTF_8))
        .isEqualTo("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}");
  }

  @Test
  void podsAreListedWhole() throws Exception {
    var pod = new PodBuilder().withNewMetadata().withName("web").endMetadata().build();

    assertThat(new String(NodeRoutes.podList(List.of(pod)), StandardCharsets.UTF_8))
        .contains(
            "\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"");
  }
}
