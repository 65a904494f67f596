package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.testing.ScriptedRegistry;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RegistryEntriesIT {
  private static final String IF_NOT_PRESENT = "IfNotPresent";
  private static final String ALWAYS = "Always";

  private ScriptedRegistry registry;
  private RegistryClient client;
  private RegistryEntries entries;

  @BeforeEach
  void start() throws IOException {
    registry = new ScriptedRegistry();
    client = new RegistryClient(RegistryEntries.SETTINGS);
    entries = new RegistryEntries(client);
  }

  @AfterEach
  void stop() {
    client.close();
    registry.close();
  }

  @Test
  void aSecondHandlerAsksTheRegistryNothing() throws Exception {
    List<String> digests = registry.putImage("web", "1", "linux/amd64", "linux/arm64");

    String amd = resolve(IF_NOT_PRESENT, "linux/amd64");
    String arm = resolve(IF_NOT_PRESENT, "linux/arm64");
    String again = resolve(IF_NOT_PRESENT, "linux/arm64");

    assertThat(List.of(amd, arm)).isEqualTo(digests);
    assertThat(again).isEqualTo(arm);
    assertThat(registry.requests()).containsExactly("web/manifests/1");
  }

  @Test
  void thePolicyAlwaysSeesATagThatMovedAndTellsTheOthers() throws Exception {
    String old = registry.putImage("web", "1", "linux/arm64").getFirst();
    assertThat(resolve(ALWAYS, "linux/arm64")).isEqualTo(old);
    String moved = registry.putManifest("web", "1", "linux/arm");

    assertThat(resolve(IF_NOT_PRESENT, "linux/arm64")).isEqualTo(old);
    assertThat(registry.requests()).hasSize(1);

    assertThat(resolve(ALWAYS, "linux/arm64")).isEqualTo(moved);
    assertThat(registry.requests()).hasSize(2);

    assertThat(resolve(IF_NOT_PRESENT, "linux/arm64")).isEqualTo(moved);
    assertThat(registry.requests()).hasSize(2);
  }

  private String resolve(String policy, String platform) throws InterruptedException {
    return entries
        .resolve(
            new ImageRequest(
                registry.host() + "/web:1",
                policy,
                new ImageTarget(
                    "h", TargetPlatform.of(ImagePlatform.parse(platform).orElseThrow()), true),
                Map.of(),
                List.of(),
                PodSandboxConfig.getDefaultInstance()))
        .digest();
  }
}
