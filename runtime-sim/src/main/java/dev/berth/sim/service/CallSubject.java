package dev.berth.sim.service;

import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.ImageStatusRequest;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PullImageRequest;
import dev.berth.cri.v1.RemoveImageRequest;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.sim.knobs.FaultRule.Facts;

/// Extracts the pod, container, image and handler that a request names. A request that only carries
/// an id names nothing: fault rules match such calls by their method alone.
final class CallSubject {
  private CallSubject() {}

  static Facts of(Object request) {
    return switch (request) {
      case RunPodSandboxRequest run -> facts(run.getRuntimeHandler(), "", run.getConfig(), "");
      case CreateContainerRequest create ->
          facts(
              "",
              create.getConfig().getImage().getImage(),
              create.getSandboxConfig(),
              create.getConfig().getMetadata().getName());
      case PullImageRequest pull -> image(pull.getImage(), pull.getSandboxConfig());
      case ImageStatusRequest status ->
          image(status.getImage(), PodSandboxConfig.getDefaultInstance());
      case RemoveImageRequest remove ->
          image(remove.getImage(), PodSandboxConfig.getDefaultInstance());
      default -> Facts.NONE;
    };
  }

  private static Facts image(ImageSpec image, PodSandboxConfig pod) {
    return facts(image.getRuntimeHandler(), image.getImage(), pod, "");
  }

  private static Facts facts(String handler, String image, PodSandboxConfig pod, String container) {
    PodSandboxMetadata metadata = pod.getMetadata();
    return new Facts(handler, image, metadata.getNamespace(), metadata.getName(), container);
  }
}
