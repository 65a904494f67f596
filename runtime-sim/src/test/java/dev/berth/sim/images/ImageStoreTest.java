package dev.berth.sim.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.sim.ManualTimeline;
import dev.berth.sim.call.Caller;
import dev.berth.sim.call.Refusal;
import dev.berth.sim.images.CatalogueImage.Variant;
import dev.berth.sim.images.ImageStore.Wanted;
import dev.berth.sim.profile.Handler;
import dev.berth.sim.profile.Platform;
import dev.berth.sim.profile.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImageStoreTest {
  private static final Platform WINDOWS =
      Platform.parse("windows/amd64").orElseThrow().withOsVersion("10.0.20348.2340");
  private static final Handler PROCESS =
      new Handler("process", true, "runhcs", Map.of(), false, false);
  private static final Handler HYPER_V =
      new Handler("hyperv", false, "runhcs", Map.of(Handler.ISOLATION, "1"), false, false);
  private static final Handler HYPER_V_2019 =
      new Handler(
          "containerd-hyperv-17763",
          false,
          "runhcs",
          Map.of(
              Handler.PLATFORM,
              "windows/amd64",
              Handler.OS_VERSION,
              "10.0.17763",
              Handler.ISOLATION,
              "1"),
          false,
          false);

  @Test
  void oneNameIsAnotherImageForAnotherHandler() {
    ImageStore images =
        store(
            WINDOWS,
            "linux/amd64",
            "windows/amd64 10.0.17763.805",
            "windows/amd64 10.0.20348.1",
            "windows/amd64 10.0.20348.2");

    assertThat(pull(images, PROCESS).platform().osVersion()).isEqualTo("10.0.20348.2");
    assertThat(pull(images, HYPER_V_2019).platform().osVersion()).isEqualTo("10.0.17763.805");
    assertThat(pull(images, HYPER_V).platform().osVersion()).isEqualTo("10.0.20348.2");

    assertThat(images.find("web", "process")).isPresent();
    assertThat(images.find("web", "containerd-hyperv-17763").orElseThrow().id())
        .isNotEqualTo(images.find("web", "process").orElseThrow().id());
    images.remove("web", "process");
    assertThat(images.find("web", "process")).isEmpty();
    assertThat(images.find("web", "containerd-hyperv-17763")).isPresent();
  }

  @Test
  void hyperVTakesTheNewestThatIsNotNewerThanTheHost() {
    ImageStore images = store(WINDOWS, "windows/amd64 10.0.17763.1", "windows/amd64 10.0.26100.1");

    assertThat(pull(images, HYPER_V).platform().osVersion()).isEqualTo("10.0.17763.1");
    assertThatThrownBy(() -> pull(images, PROCESS))
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "failed to pull and unpack image \"docker.io/library/web:latest\": no match for"
                + " platform in manifest: not found");
  }

  @ParameterizedTest
  @CsvSource({
    "linux/amd64, linux/386;linux/amd64, linux/amd64",
    "linux/amd64, linux/386;linux/arm64, linux/386",
    "linux/arm64, linux/arm/v7;linux/arm/v6;linux/amd64, linux/arm/v7",
    "linux/arm64, linux/arm/v7;linux/arm64/v8, linux/arm64/v8",
  })
  void aLinuxHostTakesTheClosestArchitecture(String host, String index, String expected) {
    Platform platform = Platform.parse(host).orElseThrow();
    Handler runc = Profile.named(host).orElseThrow().defaultHandler();

    assertThat(pull(store(platform, index.split(";")), runc).platform().text()).isEqualTo(expected);
  }

  @Test
  void anImageIsFoundByNameDigestAndId() {
    ImageStore images = store(WINDOWS, "windows/amd64 10.0.20348.1");
    PulledImage image = pull(images, PROCESS);

    for (String name :
        List.of(
            "web",
            "docker.io/library/web:latest",
            image.repositoryDigest(),
            image.id(),
            image.id().substring("sha256:".length(), 30))) {
      assertThat(images.find(name, "process")).as(name).contains(image);
    }
    assertThat(images.find("web:2", "process")).isEmpty();
    assertThat(images.find("", "process")).isEmpty();
  }

  @Test
  void whatIsNotDeclaredDoesNotExistUnlessAnythingDoes() {
    ImageStore images = store(WINDOWS, "windows/amd64 10.0.20348.1");
    assertThatThrownBy(() -> pull(images, "other", PROCESS))
        .hasMessage(
            "failed to pull and unpack image \"docker.io/library/other:latest\": failed to resolve"
                + " reference \"docker.io/library/other:latest\": docker.io/library/other:latest:"
                + " not found");

    ImageStore all =
        new ImageStore(Catalogue.ofAnything(), RemoteImages.NONE, WINDOWS, new ManualTimeline());
    assertThat(pull(all, "other", PROCESS).platform()).isEqualTo(WINDOWS);
  }

  private static PulledImage pull(ImageStore images, Handler handler) {
    return pull(images, "web", handler);
  }

  private static PulledImage pull(ImageStore images, String name, Handler handler) {
    return images.pull(
        new Wanted(name, handler.name(), handler.name(), handler, ""),
        PullSpeed.INSTANT,
        Caller.PATIENT);
  }

  private static ImageStore store(Platform host, String... platforms) {
    List<Variant> variants =
        Stream.of(platforms)
            .map(text -> text.split(" ", 2))
            .map(
                parts ->
                    Platform.parse(parts[0])
                        .orElseThrow()
                        .withOsVersion(parts.length > 1 ? parts[1] : ""))
            .map(platform -> new Variant(platform, 1024, 1))
            .toList();
    CatalogueImage image =
        new CatalogueImage(
            ImageReference.parse("web").orElseThrow(),
            true,
            variants,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            "",
            false);
    return new ImageStore(
        new Catalogue(List.of(image), false, List.of()),
        RemoteImages.NONE,
        host,
        new ManualTimeline());
  }
}
