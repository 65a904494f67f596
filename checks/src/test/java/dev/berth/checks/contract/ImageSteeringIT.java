package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods are steered by private images of Debian's docker-registry, and a registry that stalls takes
/// no longer than the limit.
final class ImageSteeringIT {
  private static final String ARM = "\"os\":\"linux\",\"architecture\":\"arm64\"";
  private static final String WINDOWS =
      "\"os\":\"windows\",\"architecture\":\"amd64\",\"os.version\":\"10.0.17134.1\"";

  @BeforeAll
  static void needsTheRegistry() {
    assumeTrue(DebianRegistry.isInstalled(), "docker-registry is not installed");
  }

  @Test
  void podsGoWhereTheirPrivateImagesRun(@TempDir Path directory) throws Exception {
    Path files = Files.createDirectories(directory.resolve("registry"));
    try (DebianRegistry registry = DebianRegistry.start(files);
        ServerSocket stalled = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerProcess server =
            ServerProcess.start(directory.resolve("data"), "--image-steering-timeout=2s");
        KubernetesClient client = server.client()) {
      TestIndex.push(registry, "arm", "1", ARM);
      TestIndex.push(registry, "win", "1", WINDOWS);
      prepare(client, registry.host());

      assertThat(create(client, "narrowed", registry.host() + "/arm:1").getSpec().getNodeSelector())
          .isEqualTo(Map.of("kubernetes.io/arch", "arm64"));
      assertThatThrownBy(() -> create(client, "refused", registry.host() + "/win:1"))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(
              "has no entry for linux/amd64 or linux/arm64; it has windows/amd64 10.0.17134.1");

      long start = System.nanoTime();
      String slow = "127.0.0.1:" + stalled.getLocalPort() + "/web:1";
      assertThat(create(client, "stalled", slow).getSpec().getNodeSelector()).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(8));
    }
  }

  @Test
  void aRegistryOfAPrivateAuthorityIsNamedByFlags(@TempDir Path directory) throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    Path files = Files.createDirectories(directory.resolve("registry"));
    Path hosts = Files.createDirectories(directory.resolve("hosts/registry.example.com"));
    try (DebianRegistry registry = DebianRegistry.start(files, certificate)) {
      Files.writeString(
          hosts.resolve("hosts.toml"), "server = \"https://%s\"\n".formatted(registry.host()));
      try (ServerProcess server =
              ServerProcess.start(
                  directory.resolve("data"),
                  "--image-steering-timeout=10s",
                  "--image-steering-failure=refuse",
                  "--registry-ca=" + certificate.file(),
                  "--registry-hosts=" + hosts.getParent());
          KubernetesClient client = server.client()) {
        TestIndex.push(registry, "arm", "1", ARM);
        prepare(client, "registry.example.com");

        assertThat(
                create(client, "narrowed", "registry.example.com/arm:1")
                    .getSpec()
                    .getNodeSelector())
            .isEqualTo(Map.of("kubernetes.io/arch", "arm64"));
      }
    }
  }

  private static void prepare(KubernetesClient client, String host) {
    for (String architecture : new String[] {"amd64", "arm64"}) {
      client
          .resource(
              new NodeBuilder()
                  .withNewMetadata()
                  .withName(architecture)
                  .addToLabels("kubernetes.io/os", "linux")
                  .addToLabels("kubernetes.io/arch", architecture)
                  .endMetadata()
                  .build())
          .create();
    }
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName("steered")
                .addToLabels("images.berth.dev/steering", "select")
                .endMetadata()
                .build())
        .create();
    String auth =
        Base64.getEncoder()
            .encodeToString(DebianRegistry.CREDENTIALS.getBytes(StandardCharsets.UTF_8));
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("pull")
                .withNamespace("steered")
                .endMetadata()
                .withType("kubernetes.io/dockerconfigjson")
                .addToStringData(
                    ".dockerconfigjson",
                    "{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(host, auth))
                .build())
        .create();
  }

  private static Pod create(KubernetesClient client, String name, String image) {
    return client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("steered")
                .endMetadata()
                .withNewSpec()
                .addNewImagePullSecret("pull")
                .addNewContainer()
                .withName("c")
                .withImage(image)
                .endContainer()
                .endSpec()
                .build())
        .create();
  }
}
