package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ImageRequestTest {
  @Test
  void theHandlerIsAFieldAndTheAnnotationOfTheDesign() {
    ImageSpec spec = request("containerd-hyperv-17763").spec();

    assertThat(spec.getImage()).isEqualTo("golang");
    assertThat(spec.getRuntimeHandler()).isEqualTo("containerd-hyperv-17763");
    assertThat(spec.getAnnotationsMap())
        .containsOnly(
            Map.entry("team", "a"),
            Map.entry("kubernetes.io/runtimehandler", "containerd-hyperv-17763"));
  }

  @Test
  void withoutAClassOnlyThePodsOwnAnnotationsAreTold() {
    assertThat(request("").spec().getAnnotationsMap()).containsOnly(Map.entry("team", "a"));
  }

  @Test
  void anAnnotationOfTheUserDoesNotPullForAnotherHandlerThanTheSandboxHas() {
    Map<String, String> written =
        Map.of("team", "a", "kubernetes.io/runtimehandler", "containerd-hyperv-17763");

    assertThat(request("", written).spec().getAnnotationsMap())
        .containsOnly(Map.entry("team", "a"));
    assertThat(request("kata", written).spec().getAnnotationsMap())
        .containsEntry("kubernetes.io/runtimehandler", "kata");
  }

  private static ImageRequest request(String handler) {
    return request(handler, Map.of("team", "a"));
  }

  private static ImageRequest request(String handler, Map<String, String> annotations) {
    return new ImageRequest(
        "golang", "Always", handler, annotations, List.of(), PodSandboxConfig.getDefaultInstance());
  }
}
