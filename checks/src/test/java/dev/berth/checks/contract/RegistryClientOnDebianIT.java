package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.api.platforms.WindowsRule;
import dev.berth.registry.ImageManifest.ContentDescriptor;
import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryException;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.credentials.DockerConfig;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.MediaTypes;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.FailureKind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real registry that wants a password: Debian's docker-registry.
final class RegistryClientOnDebianIT {
  private static final byte[] LAYER = "a layer".getBytes(StandardCharsets.UTF_8);

  private final RegistryClient client = new RegistryClient(RegistrySettings.USUAL);
  private DebianRegistry registry;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(DebianRegistry.isInstalled(), "docker-registry is not installed");
    registry = DebianRegistry.start(directory);
  }

  @AfterEach
  void stop() {
    client.close();
    if (registry != null) {
      registry.close();
    }
  }

  @Test
  void eachHandlerGetsItsEntryOfOneName(@TempDir Path target) throws Exception {
    String index =
        putIndex(
            "linux/amd64",
            "linux/arm64/v8",
            "windows/amd64 10.0.17763.805",
            "windows/amd64 10.0.17763.1069");
    ImageRequest request = request("web:1");

    assertThat(resolve(request, "linux/arm64", false).platform()).hasToString("linux/arm64/v8");
    assertThat(resolve(request, "windows/amd64 10.0.17763", false).platform())
        .hasToString("windows/amd64 10.0.17763.1069");
    assertThat(resolve(request, "windows/amd64 10.0.20348", true).platform())
        .hasToString("windows/amd64 10.0.17763.1069");
    assertThat(client.platforms(request).digest()).isEqualTo(index);
    assertThat(client.platforms(request("web@" + index)).index().entries()).hasSize(4);

    IndexEntry entry = resolve(request, "linux/amd64", false);
    ContentDescriptor layer = client.manifest(request, entry.digest()).layers().getFirst();
    client.pullBlob(request, layer, target.resolve("layer"));
    assertThat(Files.readAllBytes(target.resolve("layer"))).isEqualTo(LAYER);
  }

  @Test
  void withoutThePasswordThereIsNothing() throws Exception {
    putIndex("linux/amd64");
    ImageReference image = request("web:1").image();
    ImageRequest nobody = ImageRequest.anonymous(image, Duration.ofSeconds(20));
    ImageRequest wrong =
        new ImageRequest(
            image, List.of(RegistryCredentials.of("ann", "wrong")), Duration.ofSeconds(20));

    resolve(request("web:1"), "linux/amd64", false);

    assertThat(failure(nobody)).isEqualTo(FailureKind.UNAUTHORIZED);
    assertThat(failure(wrong)).isEqualTo(FailureKind.UNAUTHORIZED);
    assertThat(failure(request("web:2"))).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(failure(request("other:1"))).isEqualTo(FailureKind.NOT_FOUND);
  }

  private FailureKind failure(ImageRequest request) {
    return catchThrowableOfType(
            RegistryException.class, () -> resolve(request, "linux/amd64", false))
        .kind();
  }

  private IndexEntry resolve(ImageRequest request, String platform, boolean hyperV) {
    TargetPlatform target =
        new TargetPlatform(
            ImagePlatform.parseWithVersion(platform).orElseThrow(),
            hyperV ? WindowsRule.HYPER_V : WindowsRule.PROCESS_ISOLATION);
    return client.resolve(request, target).entry();
  }

  /// With the credentials of a pull secret.
  private ImageRequest request(String image) {
    ImageReference reference = ImageReference.parse(registry.host() + "/" + image).orElseThrow();
    DockerConfig secret =
        DockerConfig.parse(
                "{\"auths\":{\"%s\":{\"username\":\"ann\",\"password\":\"secret\"}}}"
                    .formatted(registry.host()))
            .orElseThrow();
    return new ImageRequest(
        reference, secret.lookup(reference.repository()), Duration.ofSeconds(20));
  }

  private String putIndex(String... platforms) throws Exception {
    String layer = registry.putBlob("web", LAYER);
    List<String> entries = new ArrayList<>();
    for (String text : platforms) {
      ImagePlatform platform = ImagePlatform.parseWithVersion(text).orElseThrow();
      String json =
          "\"os\":\"%s\",\"architecture\":\"%s\",\"variant\":\"%s\",\"os.version\":\"%s\""
              .formatted(
                  platform.os(), platform.architecture(), platform.variant(), platform.osVersion());
      byte[] config = ("{" + json + "}").getBytes(StandardCharsets.UTF_8);
      String manifest =
          "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":{\"mediaType\":\"application/vnd.oci.image.config.v1+json\",\"digest\":\"%s\",\"size\":%d},\"layers\":[{\"mediaType\":\"application/vnd.oci.image.layer.v1.tar\",\"digest\":\"%s\",\"size\":%d}]}"
              .formatted(
                  MediaTypes.OCI_MANIFEST,
                  registry.putBlob("web", config),
                  config.length,
                  layer,
                  LAYER.length);
      String digest = registry.putManifest("web", "", MediaTypes.OCI_MANIFEST, manifest);
      entries.add(
          "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d,\"platform\":{%s}}"
              .formatted(MediaTypes.OCI_MANIFEST, digest, manifest.length(), json));
    }
    return registry.putManifest(
        "web",
        "1",
        MediaTypes.OCI_INDEX,
        "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"manifests\":[%s]}"
            .formatted(MediaTypes.OCI_INDEX, String.join(",", entries)));
  }
}
