package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.PodLookup.Found;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The runtime services of this node, as the rest of the agent uses them.
///
/// Status, version and typed version of a given service are asked from the service itself
/// ([RuntimeEndpoint]).
public interface RuntimeServices {
  /// All runtime services, the defaults before others of their workload type.
  List<RuntimeEndpoint> runtimeServices();

  /// All image services; one that holds the images of several runtime services is there once.
  List<ImageService> imageServices();

  /// The service of a pod, which is chosen now if it has none yet and stays from then on.
  ///
  /// @param handler that of the pod's RuntimeClass, or empty
  ServiceResolution bind(PodRequest pod, String handler);

  /// The service of a pod by its id; takes no lock and asks nobody.
  PodLookup find(String podUid);

  /// The pod is gone, and everything its service had of it.
  void release(String podUid);

  /// The service has something of a pod that is bound to none: it belongs there from now on, so
  /// that it can be ended.
  void adopt(String podUid, String service, String handler);

  /// The UIDs of all pods that are bound to a service.
  Set<String> boundPods();

  /// The image service of a bound pod.
  default Optional<ImageService> imageServiceOf(String podUid) {
    return find(podUid) instanceof Found(var service, _)
        ? Optional.of(service.imageService())
        : Optional.empty();
  }

  /// How all services are at this moment.
  RuntimeSnapshot snapshot();

  /// Gives the listener the present snapshot and every newer one, on a thread of its own. One that
  /// is slow misses some, never the last.
  Following follow(Consumer<RuntimeSnapshot> listener);

  /// Closing it ends it.
  interface Following extends AutoCloseable {
    @Override
    void close();
  }
}
