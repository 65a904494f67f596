package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.registry.ImageManifest.ContentDescriptor;
import dev.berth.registry.ScriptedRegistry.AccessMode;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.RegistryEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a registry that behaves is asked, and what comes of it.
final class RegistryClientIT {
  private static final RegistryCredentials ANN = RegistryCredentials.of("ann", "secret");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private ScriptedRegistry registry;
  private RegistryClient client;

  @BeforeEach
  void start() throws IOException {
    registry = new ScriptedRegistry();
    client = new RegistryClient(RegistrySettings.USUAL);
  }

  @AfterEach
  void stop() {
    client.close();
    registry.close();
  }

  @Test
  void aClosedClientFailsAsARegistryThatIsOutOfReach() {
    registry.putImage("web", "1", "linux/amd64");
    client.close();

    assertThat(failure(request("web:1"), "linux/amd64").kind()).isEqualTo(FailureKind.UNREACHABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "linux/amd64, linux/amd64",
    "linux/arm64, linux/arm64",
    "windows/amd64 10.0.20348.9, windows/amd64 10.0.20348.2340"
  })
  void theEntryThatFitsIsChosenInOneRequest(String handler, String platform) {
    String digest =
        registry.putImage(
            "web",
            "1",
            "unknown/unknown",
            "linux/arm64",
            "linux/amd64",
            "windows/amd64 10.0.17763.805",
            "windows/amd64 10.0.20348.2340");

    ResolvedImage image = client.resolve(request("web:1"), target(handler));

    assertThat(image.entry().platform()).hasToString(platform);
    assertThat(image.listing().digest()).isEqualTo(digest);
    assertThat(image.pinned()).hasToString(registry.host() + "/web@" + image.entry().digest());
    assertThat(registry.requests).hasSize(1);
  }

  @Test
  void aDigestThatIsKnownIsNotAskedForAgain() {
    String digest = registry.putImage("web", "1", "linux/amd64");
    client.resolve(request("web:1"), target("linux/amd64"));
    registry.requests.clear();

    client.resolve(request("web@" + digest), target("linux/amd64"));
    assertThat(registry.requests).isEmpty();
    client.resolve(request("web:1"), target("linux/amd64"));
    assertThat(registry.requests).as("a tag may have moved").hasSize(1);
  }

  @Test
  void aTagIsTakenForGrantedAsLongAsTheSettingsSay() {
    registry.putImage("web", "1", "linux/amd64");
    try (RegistryClient patient =
        new RegistryClient(RegistrySettings.USUAL.withTagLifetime(Duration.ofMinutes(1)))) {
      patient.resolve(request("web:1"), target("linux/amd64"));
      patient.resolve(request("web:1"), target("linux/amd64"));
    }
    assertThat(registry.requests).hasSize(1);
  }

  @Test
  void whatOneMayReadIsNotShownToAnother() {
    String digest = registry.putImage("web", "1", "linux/amd64");
    registry.access = AccessMode.TOKEN;
    client.resolve(request("web@" + digest, ANN), target("linux/amd64"));

    assertThat(failure(request("web@" + digest)).kind()).isEqualTo(FailureKind.UNAUTHORIZED);
    assertThat(failure(request("web:1")).kind()).isEqualTo(FailureKind.UNAUTHORIZED);
  }

  @Test
  void entriesThatDoNotSayTheirPlatformAreLookedInto() {
    registry.putImage("web", "1", "-linux/s390x", "-linux/amd64");

    assertThat(client.platforms(request("web:1")).index().entries())
        .extracting(IndexEntry::platform)
        .extracting(ImagePlatform::toString)
        .containsExactly("linux/s390x", "linux/amd64");
    assertThat(client.resolve(request("web:1"), target("linux/amd64")).entry().platform())
        .hasToString("linux/amd64");
    assertThat(failure(request("web:1"), "linux/arm64").getMessage())
        .isEqualTo(
            "image %s/web:1 has no entry for linux/arm64; it has linux/s390x, linux/amd64. Use an image for this platform, or a node or RuntimeClass that runs one of these"
                .formatted(registry.host()));
  }

  @Test
  void anImageWithoutIndexIsLookedIntoUnlessItIsOnlyLocated() {
    String digest = registry.putManifest("web", "1", "\"os\":\"linux\",\"architecture\":\"amd64\"");

    ResolvedImage located = client.locate(request("web:1"), target("linux/arm64"));
    assertThat(located.entry().digest()).isEqualTo(digest);
    assertThat(located.listing().isIndex()).isFalse();
    assertThat(registry.requests).hasSize(1);
    assertThat(client.resolve(request("web:1"), target("linux/amd64")).entry().platform())
        .hasToString("linux/amd64");
    assertThat(failure(request("web:1"), "linux/arm64").kind())
        .isEqualTo(FailureKind.NO_MATCHING_ENTRY);
  }

  @Test
  void nestedIndexesCountWithTheirEntries() {
    registry.putImage("web", "inner", "-linux/arm64", "linux/386");
    String inner = registry.putImage("web", "inner", "-linux/arm64", "linux/386");
    registry.put(
        "web/manifests/1",
        "{\"manifests\":[{\"mediaType\":\"application/vnd.oci.image.index.v1+json\",\"digest\":\"%s\",\"platform\":{\"os\":\"linux\",\"architecture\":\"arm64\"}}]}"
            .formatted(inner));

    assertThat(client.resolve(request("web:1"), target("linux/arm64")).entry().platform())
        .hasToString("linux/arm64");
    assertThat(client.resolve(request("web:1"), target("linux/amd64")).entry().platform())
        .hasToString("linux/386");
  }

  @Test
  void aPasswordIsSentOnlyWhenItIsWanted() {
    registry.putImage("web", "1", "linux/amd64");
    client.resolve(request("web:1", ANN), target("linux/amd64"));
    assertThat(registry.requests).containsExactly("/v2/web/manifests/1 -");

    registry.requests.clear();
    registry.access = AccessMode.PASSWORD;
    client.resolve(request("web:1", ANN), target("linux/amd64"));
    client.resolve(request("web:1", ANN), target("linux/amd64"));
    assertThat(registry.requests)
        .containsExactly(
            "/v2/web/manifests/1 -", "/v2/web/manifests/1 Basic", "/v2/web/manifests/1 Basic");
  }

  @Test
  void aTokenIsFetchedOnce() {
    registry.putImage("web", "1", "linux/amd64");
    registry.access = AccessMode.TOKEN;
    client.resolve(request("web:1", ANN), target("linux/amd64"));
    client.resolve(request("web:1", ANN), target("linux/amd64"));

    assertThat(registry.requests)
        .containsExactly(
            "/v2/web/manifests/1 -",
            "/token Basic",
            "/v2/web/manifests/1 Bearer",
            "/v2/web/manifests/1 Bearer");
    registry.requests.clear();
    client.resolve(
        request("web:1", new RegistryCredentials("", "", "identity")), target("linux/amd64"));
    assertThat(registry.requests).contains("/token -");
  }

  @Test
  void credentialsAreTriedOneAfterTheOther() {
    registry.putImage("web", "1", "linux/amd64");
    registry.access = AccessMode.PASSWORD;

    ResolvedImage image =
        client.resolve(
            request("web:1", RegistryCredentials.of("bob", "old"), ANN), target("linux/amd64"));

    assertThat(image.entry().platform()).hasToString("linux/amd64");
  }

  @Test
  void aMirrorComesFirstAndDoesNotSeeThePassword() throws IOException {
    registry.putImage("web", "1", "linux/amd64");
    registry.putImage("web", "2", "linux/amd64");
    registry.access = AccessMode.PASSWORD;
    try (ScriptedRegistry mirror = new ScriptedRegistry();
        RegistryClient mirrored =
            new RegistryClient(
                RegistrySettings.USUAL.withEndpoints(
                    Map.of(
                        registry.host(),
                        List.of(
                            RegistryEndpoint.mirror(mirror.uri(""), RegistryCredentials.NONE)))))) {
      mirror.putImage("web", "1", "linux/amd64");
      mirrored.resolve(request("web:1", ANN), target("linux/amd64"));
      assertThat(registry.requests).isEmpty();
      assertThat(mirror.requests).containsExactly("/v2/web/manifests/1 -");

      mirror.access = AccessMode.PASSWORD;
      mirrored.resolve(request("web:2", ANN), target("linux/amd64"));
      assertThat(mirror.requests).noneMatch(request -> request.contains("Basic"));
      assertThat(registry.requests).isNotEmpty();
    }
  }

  @Test
  void blobsAreCompleteAndRightWhenTheyAreThere(@TempDir Path directory) throws IOException {
    registry.putImage("web", "1", "linux/amd64");
    ResolvedImage image = client.resolve(request("web:1"), target("linux/amd64"));
    ImageManifest manifest = client.manifest(request("web:1"), image.entry().digest());
    ContentDescriptor layer = manifest.layers().getFirst();
    Path file = directory.resolve("layer");

    client.pullBlob(request("web:1"), layer, file);
    assertThat(file).hasContent("x".repeat(3000));
    assertThat(client.config(request("web:1"), manifest.config()).json().path("os").asText())
        .isEqualTo("linux");

    Files.delete(file);
    registry.put("web/blobs/" + layer.digest(), "y".repeat(3000));
    assertThat(blobFailure(layer, file)).isEqualTo(FailureKind.WRONG_DIGEST);
    registry.put("web/blobs/" + layer.digest(), "x".repeat(4000));
    assertThat(blobFailure(layer, file)).isEqualTo(FailureKind.TOO_LARGE);
    registry.remove("web/blobs/" + layer.digest());
    assertThat(blobFailure(layer, file)).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(directory).isEmptyDirectory();
    assertThat(blobFailure(layer, directory.resolve("no/layer")))
        .isEqualTo(FailureKind.LOCAL_ERROR);
  }

  private FailureKind blobFailure(ContentDescriptor layer, Path file) {
    return catchThrowableOfType(
            RegistryException.class, () -> client.pullBlob(request("web:1"), layer, file))
        .kind();
  }

  private RegistryException failure(ImageRequest request) {
    return failure(request, "linux/amd64");
  }

  private RegistryException failure(ImageRequest request, String handler) {
    return catchThrowableOfType(
        RegistryException.class, () -> client.resolve(request, target(handler)));
  }

  private ImageRequest request(String image, RegistryCredentials... credentials) {
    return new ImageRequest(
        ImageReference.parse(registry.host() + "/" + image).orElseThrow(),
        List.of(credentials),
        LIMIT);
  }

  private static TargetPlatform target(String text) {
    return TargetPlatform.of(ImagePlatform.parseWithVersion(text).orElseThrow());
  }
}
