package dev.berth.agent.pods.act;

import dev.berth.agent.images.ImageTarget;
import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.api.platforms.WindowsVersion;
import dev.berth.api.pods.PodPlatform;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.Set;

/// Says what the handler of a pod runs, and who chooses the entry of an image index for it.
public final class ImageTargets {
  /// Runtimes that take the host's entry of an index whatever the handler: containerd up to 2.4
  /// reads a platform for a handler and does not use it, CRI-O ignores the handler.
  private static final Set<String> CHOOSE_FOR_THE_HOST = Set.of(RuntimeVersion.CONTAINERD, "cri-o");

  private final ImagePlatform host;

  /// Targets on a node.
  ///
  /// @param host on Windows with its version
  public ImageTargets(ImagePlatform host) {
    this.host = host;
  }

  ImageTarget of(StepContext stepContext) {
    ServiceHandler handler = stepContext.handlerFacts();
    String runtime =
        stepContext
            .service()
            .discovered()
            .map(DiscoveredService::version)
            .map(RuntimeVersion::runtimeName)
            .orElse("");
    return of(handler, runtime, PodPlatform.of(stepContext.pod()));
  }

  ImageTarget of(ServiceHandler handler, String runtime) {
    return of(handler, runtime, PodPlatform.ANY);
  }

  /// containerd compares versions of Windows as text, so that the agent chooses there in any case.
  ///
  /// @param pod what the pod itself asks for, which is one of the platforms that the handler runs
  ImageTarget of(ServiceHandler handler, String runtime, PodPlatform pod) {
    TargetPlatform target = narrowed(handler.target(host), pod);
    boolean isHosts = target.platform().normalized().equals(host.normalized());
    boolean isChosenByAgent =
        CHOOSE_FOR_THE_HOST.contains(runtime) && (!isHosts || host.isWindows());
    return new ImageTarget(handler.name(), target, isChosenByAgent);
  }

  /// Versions that are none of Windows say nothing about images.
  private static TargetPlatform narrowed(TargetPlatform target, PodPlatform pod) {
    ImagePlatform platform = target.platform();
    if (!pod.architecture().isEmpty()
        && !pod.architecture().equals(platform.normalized().architecture())) {
      platform = new ImagePlatform(platform.os(), pod.architecture(), "", platform.osVersion());
    }
    if (platform.isWindows() && WindowsVersion.parse(pod.osVersion()).isPresent()) {
      platform = platform.withOsVersion(pod.osVersion());
    }
    return new TargetPlatform(platform, target.windowsRule());
  }
}
