package dev.berth.sim.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.images.IndexChoice;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.images.RemoteImages.RemoteImage;
import dev.berth.sim.profile.SimProfile;
import dev.berth.sim.registry.FakeRegistry.Access;
import io.grpc.Status;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegistryImagesIT {
  private static final String HOST = "registry.example.com";

  private final HttpClient http = RegistryImages.client();
  private FakeRegistry registry;

  @BeforeEach
  void start() throws IOException {
    registry = new FakeRegistry();
  }

  @AfterEach
  void stop() {
    registry.close();
    http.shutdownNow();
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
    assertThat(refusal(image).text())
        .startsWith(
            "failed commit on ref \"layer-%s\": unexpected commit digest ".formatted(layer));
    registry.put("web/blobs/" + layer, "short");
    assertThat(refusal(image).text())
        .isEqualTo(
            "failed commit on ref \"layer-%s\": unexpected commit size 5, expected 3000: failed precondition"
                .formatted(layer));
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
  void aPasswordIsSentOnlyWhenItIsWanted() {
    registry.putImage("web", "1", "linux/amd64");
    find("/web:1", FakeRegistry.CREDENTIALS, "linux/amd64");
    assertThat(registry.requests).allMatch(request -> request.endsWith(" -"));

    registry.wants(Access.PASSWORD);
    find("/web:1", FakeRegistry.CREDENTIALS, "linux/amd64");
    assertThat(registry.requests.getLast()).endsWith(" Basic");

    String unauthorized =
        "failed to resolve reference \"registry.example.com/web:1\": pulling from host"
            + " registry.example.com failed with status code [manifests 1]: 401 Unauthorized";
    refused("/web:1", "", Status.Code.UNKNOWN, unauthorized);
    refused("/web:1", "ann:wrong", Status.Code.UNKNOWN, unauthorized);
  }

  @Test
  void aTokenIsFetchedOncePerPull() {
    registry.putImage("web", "1", "linux/amd64");
    registry.wants(Access.TOKEN);

    find("/web:1", FakeRegistry.CREDENTIALS, "linux/amd64");

    assertThat(registry.requests)
        .hasSize(5)
        .startsWith("/v2/web/manifests/1 -", "/token Basic", "/v2/web/manifests/1 Bearer");
    refused(
        "/web:1",
        "ann:wrong",
        Status.Code.UNKNOWN,
        "failed to resolve reference \"registry.example.com/web:1\": failed to authorize: failed to"
            + " fetch oauth token: unexpected status: 401");
  }

  @Test
  void theRegistrysOwnCredentialsAreForPullsThatBringNone() {
    registry.putImage("web", "1", "linux/amd64");
    registry.wants(Access.PASSWORD);
    RegistryImages images =
        new RegistryImages(
            http, List.of(new RegistryHost(HOST, registry.endpoint(), FakeRegistry.CREDENTIALS)));

    assertThat(images.find(reference("/web:1"), "", choice("linux/amd64"))).isPresent();
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
            images(registry.endpoint())
                .find(
                    ImageReference.parse("docker.io/web:1").orElseThrow(),
                    "",
                    choice("linux/amd64")))
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
        "failed to resolve reference \"registry.example.com/web@%s\": failed commit on ref"
                .formatted(wanted)
            + " \"index-%s\": unexpected commit digest %s, expected %s: failed precondition"
                .formatted(wanted, digest, wanted));
  }

  @Test
  void aRedirectIsFollowedWithoutThePassword() throws IOException {
    try (FakeRegistry blobs = new FakeRegistry()) {
      String config =
          blobs.put("web/blobs/DIGEST", "{\"os\":\"linux\",\"architecture\":\"amd64\"}");
      registry.put(
          "web/manifests/1", "{\"config\":{\"digest\":\"%s\"},\"layers\":[]}".formatted(config));
      registry.wants(Access.PASSWORD);
      registry.redirect("web/blobs/" + config, blobs.endpoint() + "/elsewhere/web/blobs/" + config);

      assertThat(find("/web:1", FakeRegistry.CREDENTIALS, "linux/amd64").id()).isEqualTo(config);
      assertThat(blobs.requests).containsExactly("/elsewhere/web/blobs/" + config + " -");

      registry.redirect("web/blobs/" + config, "http://blobs.example.com/" + config);
      CallRefusal refusal =
          catchThrowableOfType(
              CallRefusal.class, () -> find("/web:1", FakeRegistry.CREDENTIALS, "linux/amd64"));
      assertThat(refusal.text())
          .endsWith(
              "redirected to http://blobs.example.com/%s, which is neither https nor this machine"
                  .formatted(config));
    }
  }

  @Test
  void aRegistryThatIsNotThereIsTold() {
    URI gone = registry.endpoint();
    registry.close();

    CallRefusal refusal =
        catchThrowableOfType(
            CallRefusal.class,
            () -> images(gone).find(reference("/web:1"), "", choice("linux/amd64")));

    assertThat(refusal.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(refusal.text())
        .startsWith(
            "failed to resolve reference \"registry.example.com/web:1\": failed to do request: Get"
                + " \"%s/v2/web/manifests/1\": ".formatted(gone));
  }

  private RemoteImage find(String image, String credentials, String profile) {
    Optional<RemoteImage> found =
        images(registry.endpoint()).find(reference(image), credentials, choice(profile));
    return found.orElseThrow();
  }

  private void refused(String image, String credentials, Status.Code code, String text) {
    CallRefusal refusal =
        catchThrowableOfType(CallRefusal.class, () -> find(image, credentials, "linux/amd64"));
    assertThat(refusal.text()).isEqualTo(text);
    assertThat(refusal.code()).isEqualTo(code);
  }

  private RegistryImages images(URI endpoint) {
    return new RegistryImages(http, List.of(new RegistryHost(HOST, endpoint, "")));
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
