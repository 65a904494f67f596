package dev.berth.agent.images;

import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.PodSandbox;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The images of which containers and sandboxes were made: their names and ids, and for which
/// handlers.
///
/// An image of a handler is in use when a container of that handler has it; the containers of other
/// handlers have their own image of the same name. An image without a handler is that of the
/// default one where the runtime reports the handlers of images, and everybody's elsewhere.
final class ImagesInUse {
  /// Stands for all handlers; no handler has this name.
  private static final String ANY = "*";

  private final Map<String, Set<String>> handlers = new HashMap<>();
  private final Map<String, String> defaults = new HashMap<>();
  private boolean isDefaultUnknown;

  /// Adds the containers of a runtime service.
  ///
  /// @param defaultHandler the name of the handler of pods that name none; empty when unknown
  void add(
      Collection<Container> containers, Collection<PodSandbox> sandboxes, String defaultHandler) {
    isDefaultUnknown |= defaultHandler.isEmpty();
    defaults.put(defaultHandler, "");
    Map<String, String> ofSandboxes = new HashMap<>();
    sandboxes.forEach(sandbox -> ofSandboxes.put(sandbox.getId(), sandbox.getRuntimeHandler()));
    for (Container container : containers) {
      String handler = ofSandboxes.getOrDefault(container.getPodSandboxId(), ANY);
      add(container.getImage().getImage(), handler);
      add(container.getImageRef(), handler);
      add(container.getImageId(), handler);
    }
  }

  /// Adds an image that is needed whatever the handler, such as that of sandboxes.
  void add(String name) {
    add(name, ANY);
  }

  private void add(String name, String handler) {
    if (!name.isEmpty()) {
      handlers.computeIfAbsent(name, _ -> new HashSet<>()).add(handler);
    }
  }

  /// @param areHandlersReported whether the runtime reports the handlers of images
  boolean include(StoredImage image, boolean areHandlersReported) {
    return image.names().stream()
        .flatMap(name -> handlers.getOrDefault(name, Set.of()).stream())
        .anyMatch(handler -> !areHandlersReported || isSame(handler, image.handler()));
  }

  private boolean isSame(String user, String owner) {
    if (user.equals(ANY) || canonical(user).equals(canonical(owner))) {
      return true;
    }
    // Either may be the default handler by its name.
    return isDefaultUnknown && (user.isEmpty() || owner.isEmpty());
  }

  private String canonical(String handler) {
    return defaults.getOrDefault(handler, handler);
  }
}
