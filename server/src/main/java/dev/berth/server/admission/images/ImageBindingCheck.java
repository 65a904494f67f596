package dev.berth.server.admission.images;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.registry.placement.HandlerPlatforms;
import dev.berth.registry.placement.PodImagePlatforms;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.server.auth.ObjectReader;
import java.util.Optional;

/// Refuses to bind a pod to a node that cannot run its images as they are at this moment. A
/// scheduler may have decided before the images were changed, or may not look at images at all.
///
/// It asks no registry: admission wrote down what the images have.
public record ImageBindingCheck(ObjectReader objects) {
  /// Why the pod cannot be bound to the node; empty when it can, or when nobody knows.
  public Optional<String> refusal(ObjectNode pod, String nodeName) {
    PodImagePlatforms images = PodImagePlatforms.of(pod.path("metadata").path("annotations"));
    ObjectNode node = images.isEmpty() ? null : objects.read("nodes", "", nodeName);
    if (node == null) {
      return Optional.empty();
    }
    PodRuntime runtime = PodRuntime.of(pod);
    HandlerPlatforms runs = HandlerPlatforms.parse(node).ofService(runtime.serviceName());
    return handler(runtime.className())
        .flatMap(handler -> images.mismatch(runs, handler))
        .map(PlatformMismatch::message);
  }

  /// Empty when the class was deleted.
  private Optional<String> handler(String className) {
    return className.isEmpty()
        ? Optional.of("")
        : Optional.ofNullable(objects.read(ImageSteering.CLASSES, "", className))
            .map(found -> found.path("handler").asText(""));
  }
}
