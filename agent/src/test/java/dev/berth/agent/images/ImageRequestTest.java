package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ImageRequestTest {
  private static final TargetPlatform ARM =
      TargetPlatform.of(new ImagePlatform("linux", "arm64", "v8", ""));

  @Test
  void theHandlerIsAFieldAndTheAnnotationOfTheDesign() {
    ImageSpec spec = request("containerd-hyperv-17763").spec();

    assertThat(spec.getImage()).isEqualTo("golang");
    assertThat(spec.getRuntimeHandler()).isEqualTo("containerd-hyperv-17763");
    assertThat(spec.getAnnotationsMap())
        .containsOnly(
            Map.entry("team", "a"),
            Map.entry("kubernetes.io/os", "linux"),
            Map.entry("kubernetes.io/arch", "arm64"),
            Map.entry("kubernetes.io/runtimehandler", "containerd-hyperv-17763"));
  }

  @Test
  void withoutAClassThereIsNoHandler() {
    assertThat(request("").spec().getAnnotationsMap())
        .containsOnly(
            Map.entry("team", "a"),
            Map.entry("kubernetes.io/os", "linux"),
            Map.entry("kubernetes.io/arch", "arm64"));
  }

  @Test
  void anEntryIsNamedByItsDigestWithTheSameAnnotations() {
    ImageSpec spec = request("arm").spec("sha256:" + "a".repeat(64));

    assertThat(spec.getImage()).isEqualTo("docker.io/library/golang@sha256:" + "a".repeat(64));
    assertThat(spec.getRuntimeHandler()).isEqualTo("arm");
    assertThat(spec.getAnnotationsMap()).containsEntry("kubernetes.io/arch", "arm64");
  }

  @Test
  void anAnnotationOfTheUserDoesNotPullForAnotherHandlerThanTheSandboxHas() {
    Map<String, String> written =
        Map.of(
            "team",
            "a",
            "kubernetes.io/runtimehandler",
            "containerd-hyperv-17763",
            "kubernetes.io/arch",
            "s390x");

    assertThat(request("", written).spec().getAnnotationsMap())
        .containsEntry("kubernetes.io/arch", "arm64")
        .doesNotContainKey("kubernetes.io/runtimehandler");
    assertThat(request("kata", written).spec().getAnnotationsMap())
        .containsEntry("kubernetes.io/runtimehandler", "kata");
  }

  private static ImageRequest request(String handler) {
    return request(handler, Map.of("team", "a"));
  }

  private static ImageRequest request(String handler, Map<String, String> annotations) {
    return new ImageRequest(
        "golang",
        "Always",
        new ImageTarget(handler, ARM, true),
        annotations,
        List.of(),
        PodSandboxConfig.getDefaultInstance());
  }
}
