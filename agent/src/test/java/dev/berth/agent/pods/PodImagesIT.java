package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.RegistryEntries;
import dev.berth.agent.images.testing.ScriptedRegistry;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ResourceType;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.MediaTypes;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.TransportLimits;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
          Duration.ofSeconds(5),
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

  /// A registry that misbehaves in one way.
  ///
  /// @param image behind the host
  /// @param reason as the container and the event show it, before the back-off
  /// @param words of the message: what happened, and what to do
  private record BadInput(String image, String reason, List<String> words) {
    BadInput(String image, String reason, String... words) {
      this(image, reason, List.of(words));
    }

    String pod() {
      return image.replaceFirst("[:@].*", "");
    }

    boolean isIn(String message) {
      return message.contains(reason + ": ") && words.stream().allMatch(message::contains);
    }
  }

  @Test
  void everyMistakeOfARegistryHasItsOwnMessageAndBlocksNoOtherPod() throws IOException {
    List<BadInput> inputs = badInputs();
    registry.putImage("good", "1", "linux/amd64", "linux/arm64");
    startNode("containerd", ContractCompatibility.CONTAINERD_1_6);

    inputs.forEach(
        input -> node.pod(input.pod(), "runtimeClassName: arm\n" + containers(input.image())));
    node.pod("good", "runtimeClassName: arm\n" + containers("good:1"));

    node.awaitPhase("good", "Running");
    for (BadInput input : inputs) {
      node.await(
          input.pod(),
          "says why it backs off",
          status ->
              waiting(status).path("reason").asText().equals("ImagePullBackOff")
                  && input.isIn(waiting(status).path("message").asText()));
      Await.until(
          () -> "events of %s: %s".formatted(input.pod(), node.events(input.pod())),
          () ->
              node.events(input.pod()).contains("Failed: Error: " + input.reason())
                  && node.events(input.pod()).stream()
                      .anyMatch(event -> event.startsWith("Failed: Failed to pull image")));
    }
  }

  private List<BadInput> badInputs() {
    registry.protect("secret", "ann:password");
    status("forbidden", 403);
    status("limited", 429);
    status("broken", 500);
    registry.stall("stalled/manifests/1");
    registry.misbehave(
        "huge/manifests/1",
        exchange -> {
          exchange.sendResponseHeaders(200, 100L << 20);
          byte[] block = new byte[1 << 20];
          for (int i = 0; i < 100; i++) {
            exchange.getResponseBody().write(block);
          }
        });
    String nested = ContentDigest.of(new byte[0]);
    byte[] own =
        "{\"schemaVersion\":2,\"manifests\":[{\"mediaType\":\"%s\",\"digest\":\"%s\"}]}"
            .formatted(MediaTypes.OCI_INDEX, nested)
            .getBytes(StandardCharsets.UTF_8);
    answer("itself/manifests/1", own);
    answer("itself/manifests/" + nested, own);
    answer("wrong/manifests/" + nested, own);
    answer("other/manifests/1", "{\"schemaVersion\":2}".getBytes(StandardCharsets.UTF_8));
    return List.of(
        new BadInput("secret:1", "ErrImagePull", "answers 401", "Add a pull secret for registry"),
        new BadInput("missing:1", "ErrImagePull", "answers 404", "Check name and tag"),
        new BadInput("forbidden:1", "ErrImagePull", "answers 403", "the right to read"),
        new BadInput("limited:1", "RegistryUnavailable", "answers 429", "raises the limit"),
        new BadInput("broken:1", "RegistryUnavailable", "answers 500", "Try again later"),
        new BadInput("stalled:1", "RegistryUnavailable", "Try again later"),
        new BadInput("huge:1", "ErrImagePull", "Publish the image again"),
        new BadInput("itself:1", "ErrImagePull", "the index contains itself", "schema 2"),
        new BadInput("wrong@" + nested, "ErrImagePull", "instead of", "Do not use this image"),
        new BadInput("other:1", "ErrImagePull", "neither an index nor a manifest", "schema 2"));
  }

  private void status(String repository, int code) {
    registry.misbehave(
        repository + "/manifests/1", exchange -> exchange.sendResponseHeaders(code, -1));
  }

  private void answer(String path, byte[] body) {
    registry.misbehave(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
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
