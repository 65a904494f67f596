package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.PodLookup.Found;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The runtime services of this node, as the rest of the agent uses them.
///
/// Status and versions of one service are read from the service itself ([RuntimeEndpoint]).
public interface RuntimeServices {
  /// All runtime services, defaults first within their workload type.
  List<RuntimeEndpoint> runtimeServices();

  /// All image services. One that several runtime services share is listed once.
  List<ImageService> imageServices();

  /// The service of a pod. It is chosen now if the pod has none, and stays from then on.
  ///
  /// @param handler that of the pod's RuntimeClass, or empty
  ServiceResolution bind(PodRequest pod, String handler);

  /// The handlers of all runtime services whose images are at an image service.
  default List<ServiceHandler> handlersOf(ImageService images) {
    return runtimeServices().stream()
        .filter(runtime -> runtime.imageService().endpoint().equals(images.endpoint()))
        .flatMap(runtime -> runtime.discovered().stream())
        .flatMap(discovered -> discovered.handlers().list().stream())
        .distinct()
        .toList();
  }

  /// Knows which handlers images of a service are for, where the runtime does not report it.
  ImageHandlers imageHandlers();

  /// Looks up a pod's service by UID; takes no lock and makes no call.
  PodLookup find(String podUid);

  /// Releases the binding of a pod that is completely removed.
  void release(String podUid);

  /// Binds an unbound pod to the service that has something of it, so that it can be ended there.
  void adopt(String podUid, String service, String handler);

  /// The UIDs of all pods that are bound to a service.
  Set<String> boundPods();

  /// The image service of a bound pod.
  default Optional<ImageService> imageServiceOf(String podUid) {
    return find(podUid) instanceof Found(var service, _)
        ? Optional.of(service.imageService())
        : Optional.empty();
  }

  /// All services at this moment.
  RuntimeSnapshot snapshot();

  /// Passes the current snapshot and every newer one to the listener, on a thread of its own. A
  /// slow listener misses some snapshots, never the last.
  Following follow(Consumer<RuntimeSnapshot> listener);

  /// Closing it stops the listener's calls.
  interface Following extends AutoCloseable {
    @Override
    void close();
  }
}
