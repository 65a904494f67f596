package dev.berth.sim;

import static dev.berth.sim.TestService.IMAGE;
import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriException;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.WindowsContainerConfig;
import dev.berth.cri.v1.WindowsContainerResources;
import dev.berth.cri.v1.WindowsPodSandboxConfig;
import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.images.CatalogImage;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WindowsTest {
  private static final String PROCESS = "runhcs-wcow-process";
  private static final String HYPER_V = "runhcs-wcow-hypervisor";

  private final TestService service =
      new TestService(
          SimProfile.named("windows/amd64").orElseThrow(), config -> config.with(catalog()));

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void theHandlersAreThoseOfWindows() {
    assertThat(service.runtime().status(true).getRuntimeHandlersList())
        .extracting(RuntimeHandler::getName)
        .containsExactly("", HYPER_V, PROCESS);
    assertThat(service.runtime().status(true).getInfoOrThrow("config"))
        .contains("\"SandboxIsolation\":1", "\"SandboxPlatform\":\"windows/amd64\"");
  }

  @Test
  void aSandboxNeedsAWindowsConfigAndNoLinuxOne() {
    assertThatThrownBy(() -> service.runtime().runPodSandbox(pod("a"), ""))
        .isInstanceOf(CriException.class)
        .hasMessageContaining(
            "INVALID_ARGUMENT: sandbox config must include windows: handler \"" + PROCESS + "\"");
    PodSandboxConfig both =
        windowsPod().toBuilder().setLinux(LinuxPodSandboxConfig.getDefaultInstance()).build();
    assertThatThrownBy(() -> service.runtime().runPodSandbox(both, HYPER_V))
        .hasMessageContaining("sandbox config must not include linux");
    try (TestService linux = new TestService("linux/arm64")) {
      assertThatThrownBy(() -> linux.runtime().runPodSandbox(windowsPod(), ""))
          .hasMessageContaining("sandbox config must not include windows");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1250, 1250, true",
    "2, 0, 5000, true",
    "0, 10001, 0, false",
    "0, 0, 10001, false",
    "0, 0, -1, false",
    "9, 0, 0, false",
  })
  void processorLimitsHaveRanges(int count, int shares, int maximum, boolean accepted) {
    WindowsContainerResources resources = processors(count, shares, maximum);

    assertThat(accepts(PROCESS, "new", resources)).isEqualTo(accepted);
    assertThat(accepts(HYPER_V, "new", resources)).isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, true, true",
    "2, 0, 0, true, true",
    "0, 10000, 0, true, true",
    "0, 0, 10000, true, true",
    "2, 0, 5000, false, true",
    "0, 10, 10, false, false",
    "2, 10, 0, false, false",
  })
  void exclusiveProcessorLimitsAreRefusedTogether(
      int count, int shares, int maximum, boolean process, boolean hyperV) {
    WindowsContainerResources resources = processors(count, shares, maximum);

    try (TestService exclusive =
        new TestService(exclusiveProfile(), config -> config.with(catalog()))) {
      assertThat(accepts(exclusive, PROCESS, "new", resources)).isEqualTo(process);
      assertThat(accepts(exclusive, HYPER_V, "new", resources)).isEqualTo(hyperV);
    }
  }

  private static SimProfile exclusiveProfile() {
    SimProfile profile = SimProfile.named("windows/amd64").orElseThrow();
    return profile.withHandlers(profile.handlers().stream().map(WindowsTest::exclusive).toList());
  }

  private static SimHandler exclusive(SimHandler handler) {
    Map<String, String> options = new HashMap<>(handler.options());
    options.put(SimHandler.EXCLUSIVE, "true");
    return new SimHandler(
        handler.name(), handler.isDefault(), handler.type(), options, false, false);
  }

  private static WindowsContainerResources processors(int count, int shares, int maximum) {
    return WindowsContainerResources.newBuilder()
        .setCpuCount(count)
        .setCpuShares(shares)
        .setCpuMaximum(maximum)
        .build();
  }

  @Test
  void anImageOfAnOlderBuildNeedsHyperV() {
    WindowsContainerResources none = WindowsContainerResources.getDefaultInstance();
    assertThat(accepts(HYPER_V, "old", none)).isTrue();

    assertThatThrownBy(() -> create(service, PROCESS, "old", none))
        .hasMessageContaining(
            "The container operating system does not match the host operating system: image"
                + " docker.io/library/old:latest is for 10.0.17763.805, process isolation runs"
                + " 10.0.20348.2340");
  }

  private boolean accepts(String handler, String image, WindowsContainerResources resources) {
    return accepts(service, handler, image, resources);
  }

  private static boolean accepts(
      TestService service, String handler, String image, WindowsContainerResources resources) {
    try {
      create(service, handler, image, resources);
      return true;
    } catch (CriException e) {
      assertThat(e.reason()).contains("invalid windows resources");
      return false;
    }
  }

  private static void create(
      TestService service, String handler, String image, WindowsContainerResources resources) {
    String sandbox = service.runtime().runPodSandbox(windowsPod(), handler);
    try {
      service.pull(image, handler);
      ContainerConfig config =
          container("main", "cmd").toBuilder()
              .setWindows(WindowsContainerConfig.newBuilder().setResources(resources))
              .setImage(container("x").getImage().toBuilder().setImage(image))
              .build();
      service.runtime().createContainer(sandbox, config, windowsPod());
    } finally {
      service.runtime().removePodSandbox(sandbox);
    }
  }

  private static PodSandboxConfig windowsPod() {
    return pod("a").toBuilder().setWindows(WindowsPodSandboxConfig.getDefaultInstance()).build();
  }

  private static ImageCatalog catalog() {
    return new ImageCatalog(
        List.of(image("old", "10.0.17763.805"), image(IMAGE, "")), true, List.of());
  }

  /// Without an index, so that only the start finds out.
  private static CatalogImage image(String name, String version) {
    ImagePlatform platform =
        ImagePlatform.parse("windows/amd64").orElseThrow().withOsVersion(version);
    return new CatalogImage(
        ImageReference.parse(name).orElseThrow(),
        false,
        List.of(new Variant(platform, 1024, 1)),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        "",
        false);
  }
}
