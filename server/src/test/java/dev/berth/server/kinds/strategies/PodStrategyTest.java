package dev.berth.server.kinds.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.pods.PodSamples;
import org.junit.jupiter.api.Test;

class PodStrategyTest {
  @Test
  void debuggingAddsContainersAndChangesNothingElse() {
    ObjectNode old = PodSamples.podOf("containers: [{name: a, image: 'a:1'}]");
    ObjectNode pod =
        PodSamples.podOf(
            """
            restartPolicy: Never
            containers: [{name: a, image: 'a:2'}]
            ephemeralContainers: [{name: debug, image: 'd:1'}]
            """);
    new PodStrategy().prepareEphemeralContainersUpdate(pod, old);
    ObjectNode spec = (ObjectNode) pod.get("spec");
    assertThat(spec.remove("ephemeralContainers").path(0).path("name").asText()).isEqualTo("debug");
    assertThat(spec).isEqualTo(old.get("spec"));
  }
}
