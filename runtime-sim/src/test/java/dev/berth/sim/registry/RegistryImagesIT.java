package dev.berth.sim.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.registry.ImageReference;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.sim.images.IndexChoice;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.images.RemoteImages.RemoteImage;
import dev.berth.sim.profile.SimProfile;
import io.grpc.Status;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegistryImagesIT {
  private static final String HOST = "registry.example.com";

  private FakeRegistry registry;
  private RegistryImages images;

  @BeforeEach
  void start() throws IOException {
    registry = new FakeRegistry();
    images = images(registry.endpoint(), "");
  }

  @AfterEach
  void stop() {
    images.close();
    registry.close();
  }

  @ParameterizedTest
  @CsvSource({
    "linux/amd64, linux/amd64",
    "linux/arm64, linux/arm64",
    "windows/amd64, windows/amd64 10.0.20348.2340"
  })
  void theEntryThatFitsIsTaken(String profile, String platform) {
    String digest =
        registry.putImage(
            "web",
            "1",
            "unknown/unknown",
            "linux/arm64",
            "linux/amd64",
            "windows/amd64 10.0.17763.805",
            "windows/amd64 10.0.20348.2340");

    RemoteImage image = find("/web:1", "", profile);

    assertThat(image.platform()).hasToString(platform);
    assertThat(image.digest()).isEqualTo(digest);
    assertThat(image.id()).startsWith("sha256:").isNotEqualTo(digest);
    assertThat(image.size()).isGreaterThan(3000);
    assertThat(image.command()).containsExactly("sh", "-c", "sleep 60");
    assertThat(image.user()).contains(1000L);
  }

  @Test
  void anEntryThatDoesNotSayWhatItIsForIsLookedInto() {
    putIndexWithoutPlatforms("mine", "linux", "amd64");
    String other = putIndexWithoutPlatforms("other", "linux", "s390x");

    assertThat(find("/web:mine", "", "linux/amd64").platform()).hasToString("linux/amd64");
    refused(
        "/web:other",
        "",
        Status.Code.NOT_FOUND,
        "get image config descriptor: no match for platform in manifest %s: not found"
            .formatted(other));
  }

  private String putIndexWithoutPlatforms(String tag, String os, String architecture) {
    String config =
        registry.put(
            "web/blobs/DIGEST",
            "{\"os\":\"%s\",\"architecture\":\"%s\"}".formatted(os, architecture));
    String manifest =
        registry.put(
            "web/manifests/DIGEST",
            "{\"config\":{\"digest\":\"%s\"},\"layers\":[]}".formatted(config));
    return registry.put(
        "web/manifests/" + tag, "{\"manifests\":[{\"digest\":\"%s\"}]}".formatted(manifest));
  }

  @Test
  void layersAreReadAndChecked() {
    registry.putImage("web", "1", "linux/amd64");
    String layer = registry.put("web/blobs/DIGEST", FakeRegistry.LAYER);
    RemoteImage image = find("/web:1", "", "linux/amd64");
    image.layers().run();
    assertThat(registry.requests).contains("/v2/web/blobs/" + layer + " -");

    registry.put("web/blobs/" + layer, "y".repeat(3000));
    assertThat(refusal(image).code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    registry.put("web/blobs/" + layer, "short");
    assertThat(refusal(image).text())
        .startsWith("failed commit: registry ")
        .endsWith(" instead of %s: failed precondition".formatted(layer));
    registry.remove("web/blobs/" + layer);
    assertThat(refusal(image).code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(refusal(image).text())
        .isEqualTo(
            "failed to copy: httpReadSeeker: failed open: could not fetch content descriptor %s (tar) from remote: not found"
                .formatted(layer));
  }

  private static CallRefusal refusal(RemoteImage image) {
    return catchThrowableOfType(CallRefusal.class, () -> image.layers().run());
  }

  @Test
  void aPullThatMayNotIsRefusedInContainerdsWords() {
    registry.putImage("web", "1", "linux/amd64");
    registry.wantPassword();

    find("/web:1", FakeRegistry.CREDENTIALS, "linux/amd64");
    String unauthorized =
        "failed to resolve reference \"registry.example.com/web:1\": pulling from host"
            + " registry.example.com failed with status code [manifests 1]: 401 Unauthorized";
    refused("/web:1", "", Status.Code.UNKNOWN, unauthorized);
    refused("/web:1", "ann:wrong", Status.Code.UNKNOWN, unauthorized);
  }

  @Test
  void theRegistrysOwnCredentialsAreForPullsThatBringNone() {
    registry.putImage("web", "1", "linux/amd64");
    registry.wantPassword();
    try (RegistryImages own = images(registry.endpoint(), FakeRegistry.CREDENTIALS)) {
      assertThat(own.find(reference("/web:1"), "", choice("linux/amd64"))).isPresent();
    }
  }

  @Test
  void whatIsNotThereIsNotFound() {
    registry.putImage("web", "1", "windows/amd64 10.0.17763.805");

    refused(
        "/web:2",
        "",
        Status.Code.NOT_FOUND,
        "failed to resolve reference \"registry.example.com/web:2\": registry.example.com/web:2:"
            + " not found");
    refused("/web:1", "", Status.Code.NOT_FOUND, "no match for platform in manifest: not found");
    assertThat(
            images.find(
                ImageReference.parse("docker.io/web:1").orElseThrow(), "", choice("linux/amd64")))
        .isEmpty();
  }

  @Test
  void bytesThatAreNotThoseOfTheDigestAreRefused() {
    registry.putImage("web", "1", "linux/amd64");
    String wanted = "sha256:" + "0".repeat(64);
    String digest = registry.put("web/manifests/" + wanted, "{\"manifests\":[]}");

    refused(
        "/web@" + wanted,
        "",
        Status.Code.FAILED_PRECONDITION,
        "failed to resolve reference \"registry.example.com/web@%s\": failed commit: registry %s"
                .formatted(wanted, registry.endpoint().getAuthority())
            + " answers content with the digest %s instead of %s: failed precondition"
                .formatted(digest, wanted));
  }

  @Test
  void aRegistryThatIsNotThereIsTold() {
    URI gone = registry.endpoint();
    registry.close();

    CallRefusal refusal =
        catchThrowableOfType(CallRefusal.class, () -> find("/web:1", "", "linux/amd64"));

    assertThat(refusal.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(refusal.text())
        .startsWith(
            "failed to resolve reference \"registry.example.com/web:1\": failed to do request:"
                + " registry %s does not accept connections".formatted(gone.getAuthority()));
  }

  private RemoteImage find(String image, String credentials, String profile) {
    Optional<RemoteImage> found = images.find(reference(image), credentials, choice(profile));
    return found.orElseThrow();
  }

  private void refused(String image, String credentials, Status.Code code, String text) {
    CallRefusal refusal =
        catchThrowableOfType(CallRefusal.class, () -> find(image, credentials, "linux/amd64"));
    assertThat(refusal.text()).isEqualTo(text);
    assertThat(refusal.code()).isEqualTo(code);
  }

  private static RegistryImages images(URI endpoint, String credentials) {
    return new RegistryImages(
        List.of(
            new RegistryHost(
                HOST,
                new RegistryEndpoint(endpoint, RegistryCredentials.parse(credentials), false))));
  }

  private static ImageReference reference(String rest) {
    return ImageReference.parse(HOST + rest).orElseThrow();
  }

  private static IndexChoice choice(String name) {
    SimProfile profile = SimProfile.named(name).orElseThrow();
    ImagePlatform host = profile.platform();
    return new IndexChoice(profile.defaultHandler(), host);
  }
}
