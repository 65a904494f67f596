package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.RegistryEntries;
import dev.berth.agent.images.testing.ScriptedRegistry;
import dev.berth.client.ResourceType;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.TransportLimits;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods whose images come from a registry, on a node of linux/amd64 with a handler for linux/arm64:
/// one runtime chooses the entry of an index itself, for the other one, which calls itself
/// containerd, the agent does.
final class PodImagesIT {
  private static final TransportLimits QUICK =
      new TransportLimits(
          Duration.ofSeconds(20),
          Duration.ofSeconds(2),
          2,
          Duration.ofMillis(10),
          Duration.ofSeconds(1));

  @TempDir private Path directory;
  private ScriptedRegistry registry;
  private RegistryClient client;
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    registry = new ScriptedRegistry();
    client = new RegistryClient(RegistryEntries.SETTINGS.withLimits(QUICK));
    node =
        new TestNode(directory)
            .with(
                new PullSettings(
                    PullSettings.PARALLEL,
                    new ImagePlatform("linux", "amd64", "", ""),
                    new RegistryEntries(client)));
  }

  @AfterEach
  void stop() {
    node.close();
    client.close();
    registry.close();
  }

  /// @param named what the runtime calls itself
  private void startNode(String named, ContractCompatibility compatibility) throws IOException {
    List<SimHandler> handlers =
        List.of(
            handler("runc", Map.of()), handler("arm", Map.of(SimHandler.PLATFORM, "linux/arm64")));
    SimProfile profile =
        new SimProfile(
            "linux/amd64",
            new ImagePlatform("linux", "amd64", "", ""),
            named,
            "1.6.20",
            compatibility,
            false,
            handlers,
            8);
    ImageCatalog images =
        new ImageCatalog(
            List.of(),
            false,
            List.of(new RegistryHost(registry.host(), RegistryEndpoint.usual(registry.host()))));
    node.service("one", config -> config.with(profile).with(images));
    node.start();
    node.create(
        ResourceType.RUNTIME_CLASSES,
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: arm}, handler: arm}");
  }

  private static SimHandler handler(String name, Map<String, String> options) {
    return new SimHandler(name, name.equals("runc"), "io.containerd.sim.v1", options, true, true);
  }

  @Test
  void aRuntimeThatFindsNoEntryIsExplained() throws IOException {
    registry.putImage("web", "1", "linux/arm64", "windows/amd64 10.0.17763.805");
    startNode("berth-sim", ContractCompatibility.CURRENT);

    node.pod("unfit", containers("web:1"));

    assertThat(pullFailure("unfit"))
        .contains(
            ("image %s/web:1 has no entry for linux/amd64; it has linux/arm64,"
                    + " windows/amd64 10.0.17763.805. Use an image for this platform, or a node or"
                    + " RuntimeClass that runs one of these")
                .formatted(registry.host()));
    assertThat(node.events("unfit"))
        .anyMatch(
            event -> event.startsWith("Failed: Failed to pull image") && event.contains("it has"));
  }

  @Test
  void aHandlerForWhichTheAgentChoosesIsExplainedInTheSameWords() throws IOException {
    registry.putImage("web", "1", "linux/amd64");
    startNode("containerd", ContractCompatibility.CONTAINERD_1_6);

    node.pod("unfit", "runtimeClassName: arm\n" + containers("web:1"));

    assertThat(pullFailure("unfit"))
        .contains(
            "image %s/web:1 has no entry for linux/arm64; it has linux/amd64. Use an image"
                .formatted(registry.host()));
  }

  @Test
  void aRegistryThatNoLongerAnswersLeavesTheWordsOfTheRuntime() throws IOException {
    registry.putImage("web", "1", "linux/arm64");
    startNode("berth-sim", ContractCompatibility.CURRENT);
    client.close();

    node.pod("unfit", containers("web:1"));

    assertThat(pullFailure("unfit")).contains("no match for platform in manifest: not found");
  }

  private String containers(String image) {
    return "containers: [{name: main, image: '%s/%s'}]".formatted(registry.host(), image);
  }

  /// The message with which the pod's container waits, without that of the back-off around it.
  private String pullFailure(String pod) {
    JsonNode status =
        node.await(
            pod,
            "cannot pull",
            one ->
                waiting(one)
                    .path("reason")
                    .asText()
                    .matches("ErrImagePull|ImagePullBackOff|RegistryUnavailable"));
    return waiting(status).path("message").asText();
  }

  private static JsonNode waiting(JsonNode status) {
    return status.at("/containerStatuses/0/state/waiting");
  }
}
