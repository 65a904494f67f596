package dev.berth.sim.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.ManualTimeline;
import dev.berth.sim.call.WaitingCaller;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.images.ImageStore.RequestedImage;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ImageStoreTest {
  private static final ImagePlatform WINDOWS =
      ImagePlatform.parse("windows/amd64").orElseThrow().withOsVersion("10.0.20348.2340");
  private static final SimHandler PROCESS =
      new SimHandler("process", true, "runhcs", Map.of(), false, false);
  private static final SimHandler HYPER_V =
      new SimHandler("hyperv", false, "runhcs", Map.of(SimHandler.ISOLATION, "1"), false, false);
  private static final SimHandler HYPER_V_2019 =
      new SimHandler(
          "containerd-hyperv-17763",
          false,
          "runhcs",
          Map.of(
              SimHandler.PLATFORM,
              "windows/amd64",
              SimHandler.OS_VERSION,
              "10.0.17763",
              SimHandler.ISOLATION,
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
        .isInstanceOf(CallRefusal.class)
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
    ImagePlatform platform = ImagePlatform.parse(host).orElseThrow();
    SimHandler runc = SimProfile.named(host).orElseThrow().defaultHandler();

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
  void containerd16TakesTheHostsBuildAndIgnoresHandlers() {
    ImagePlatform newer = WINDOWS.withOsVersion("10.0.26100.1");
    String[] entries = {"windows/amd64 10.0.20348.9", "windows/amd64 10.0.17763.805"};
    ImageStore old = store(newer, ContractCompatibility.CONTAINERD_1_6, entries);

    assertThat(pull(store(newer, entries), PROCESS).platform().osVersion())
        .isEqualTo("10.0.20348.9");
    assertThatThrownBy(() -> pull(old, PROCESS)).hasMessageContaining("no match for platform");
    assertThatThrownBy(() -> pull(old, HYPER_V)).hasMessageContaining("no match for platform");
  }

  @ParameterizedTest
  @CsvSource({
    "mcr.microsoft.com/windows/nanoserver:ltsc2022, 10.0.20348",
    "golang:1.25-windowsservercore-ltsc2022, 10.0.20348",
    "example.com/web:1, 10.0.20348",
    "example.com/web@sha256:0123456789012345678901234567890123456789012345678901234567890123,"
        + " 10.0.20348",
  })
  void imaginedImagesOfWindowsHaveTheReleasesThatTheirTagsName(String image, String build) {
    ImageStore all = storeOfAnything();

    assertThat(pull(all, image, PROCESS).platform().osVersion()).startsWith(build + ".");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mcr.microsoft.com/windows/nanoserver:1809",
        "mcr.microsoft.com/windows/servercore:ltsc2019-amd64",
        "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019",
        "mcr.microsoft.com/windows/servercore:ltsc2025",
        "example.com/web:1.0-nanoserver-1809",
        "nginx:1.27",
        "alpine"
      })
  void imagesOfAnotherReleaseOrSystemDoNotRunOnWindows(String image) {
    ImageStore all = storeOfAnything();

    assertThatThrownBy(() -> pull(all, image, PROCESS))
        .hasMessageContaining("no match for platform in manifest: not found");
  }

  @Test
  void anOlderReleaseRunsUnderHyperV() {
    ImageStore all = storeOfAnything();

    assertThat(pull(all, "mcr.microsoft.com/windows/nanoserver:1809", HYPER_V).platform())
        .isEqualTo(WINDOWS.withOsVersion("10.0.17763.6775"));
    assertThat(pull(all, "example.com/web:1", HYPER_V).platform()).isEqualTo(WINDOWS);
  }

  private static ImageStore storeOfAnything() {
    return new ImageStore(
        ImageCatalog.ofAnything(),
        RemoteImages.NONE,
        WINDOWS,
        ContractCompatibility.CURRENT,
        new ManualTimeline());
  }

  @Test
  void whatIsNotDeclaredDoesNotExistUnlessAnythingDoes() {
    ImageStore images = store(WINDOWS, "windows/amd64 10.0.20348.1");
    assertThatThrownBy(() -> pull(images, "other", PROCESS))
        .hasMessage(
            "failed to pull and unpack image \"docker.io/library/other:latest\": failed to resolve"
                + " reference \"docker.io/library/other:latest\": docker.io/library/other:latest:"
                + " not found");

    ImageStore all = storeOfAnything();
    assertThat(pull(all, "other", PROCESS).platform()).isEqualTo(WINDOWS);
  }

  private static PulledImage pull(ImageStore images, SimHandler handler) {
    return pull(images, "web", handler);
  }

  private static PulledImage pull(ImageStore images, String name, SimHandler handler) {
    return images.pull(
        new RequestedImage(name, handler.name(), handler.name(), handler, ""),
        PullSpeed.INSTANT,
        WaitingCaller.PATIENT);
  }

  private static ImageStore store(ImagePlatform host, String... platforms) {
    return store(host, ContractCompatibility.CURRENT, platforms);
  }

  private static ImageStore store(
      ImagePlatform host, ContractCompatibility compatibility, String... platforms) {
    List<Variant> variants =
        Stream.of(platforms)
            .map(text -> text.split(" ", 2))
            .map(
                parts ->
                    ImagePlatform.parse(parts[0])
                        .orElseThrow()
                        .withOsVersion(parts.length > 1 ? parts[1] : ""))
            .map(platform -> new Variant(platform, 1024, 1))
            .toList();
    CatalogImage image =
        new CatalogImage(
            ImageReference.parse("web").orElseThrow(),
            true,
            variants,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            "",
            false);
    return new ImageStore(
        new ImageCatalog(List.of(image), false, List.of()),
        RemoteImages.NONE,
        host,
        compatibility,
        new ManualTimeline());
  }
}
