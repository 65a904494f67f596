package dev.berth.agent.pods.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.ImageTarget;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.api.pods.PodPlatform;
import dev.berth.registry.platforms.ImagePlatform;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImageTargetsTest {
  @ParameterizedTest
  @CsvSource({
    "linux/amd64, '', '', containerd, linux/amd64, false",
    "linux/amd64, linux/amd64/v1, '', containerd, linux/amd64/v1, false",
    "linux/amd64, linux/arm64, '', containerd, linux/arm64, true",
    "linux/amd64, linux/arm64, '', cri-o, linux/arm64, true",
    "linux/amd64, linux/arm64, '', berth-sim, linux/arm64, false",
    "windows/amd64 10.0.20348, '', '', containerd, windows/amd64 10.0.20348, true",
    "windows/amd64 10.0.20348, windows/amd64 10.0.17763, hyperv, containerd, windows/amd64 10.0.17763 or older under Hyper-V, true",
    "windows/amd64 10.0.20348, windows/amd64, hyperv, berth-sim, windows/amd64 10.0.20348 or older under Hyper-V, false"
  })
  void theAgentChoosesWhereARuntimeWouldTakeTheHostsEntry(
      String host,
      String platform,
      String isolation,
      String runtime,
      String target,
      boolean isChosenByAgent) {
    ServiceHandler handler =
        ServiceHandler.named("h")
            .with(ImagePlatform.parseWithVersion(platform).orElse(null))
            .with(HandlerIsolation.of(isolation).orElse(HandlerIsolation.UNKNOWN));

    ImageTarget found =
        new ImageTargets(ImagePlatform.parseWithVersion(host).orElseThrow()).of(handler, runtime);

    assertThat(found.handler()).isEqualTo("h");
    assertThat(found.platform()).hasToString(target);
    assertThat(found.isChosenByAgent()).isEqualTo(isChosenByAgent);
  }

  @ParameterizedTest
  @CsvSource({
    // What the pod asks for is what it gets of the index, where the handler runs several.
    "windows/amd64 10.0.26100, '', 10.0.20348, '', windows/amd64 10.0.20348, true",
    "windows/amd64 10.0.26100, hyperv, 10.0.17763.805, '', windows/amd64 10.0.17763 or older under Hyper-V, true",
    "linux/amd64, '', '', arm64, linux/arm64, true",
    // Nothing else than the handler runs.
    "windows/amd64 10.0.20348, '', '', amd64, windows/amd64 10.0.20348, true",
    "windows/amd64 10.0.20348, '', ltsc2022, '', windows/amd64 10.0.20348, true",
    "linux/amd64, '', 10.0.17763, amd64, linux/amd64, false",
    "linux/amd64, '', '', '', linux/amd64, false"
  })
  void thePodsOwnPlatformChoosesTheEntry(
      String host,
      String isolation,
      String osVersion,
      String architecture,
      String target,
      boolean isChosenByAgent) {
    ServiceHandler handler =
        ServiceHandler.named("h")
            .with(HandlerIsolation.of(isolation).orElse(HandlerIsolation.UNKNOWN));
    ImagePlatform platform = ImagePlatform.parseWithVersion(host).orElseThrow();

    ImageTarget found =
        new ImageTargets(platform)
            .of(handler, "containerd", new PodPlatform("", osVersion, architecture));

    assertThat(found.platform()).hasToString(target);
    assertThat(found.isChosenByAgent()).isEqualTo(isChosenByAgent);
  }
}
