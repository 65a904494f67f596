package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeShape;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.ReportedRuntimes;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.RuntimeServiceInfo;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Lists what exists, for a pod that asks for a RuntimeClass, handler or runtime service that no
/// node has.
record RuntimeHint(ClusterState cluster, PodRequirements needs) {
  // The sentence ends an event, whose message has a bounded length.
  private static final int MOST = 10;

  /// The number of nodes that have something, and one of them.
  private record Place(int nodes, String example) {
    Place plus(Place other) {
      return new Place(nodes + other.nodes, example);
    }

    @Override
    public String toString() {
      return nodes == 1 ? "on " + example : "on %d nodes, such as %s".formatted(nodes, example);
    }
  }

  /// A sentence for the end of the refusal; empty when some node has what the pod asks for.
  String text(Set<RefusalCause> causes) {
    if (causes.contains(RefusalCause.CLASS_MISSING)) {
      return " Create it, or correct spec.runtimeClassName; RuntimeClasses: %s."
          .formatted(list(cluster.classes().stream().map(RuntimeClassInfo::name)));
    }
    if (!causes.contains(RefusalCause.RUNTIME_UNSUPPORTED)) {
      return "";
    }
    Map<String, Place> services = places(ReportedRuntimes::services, RuntimeServiceInfo::name);
    if (!needs.serviceName().isEmpty()
        && !needs.asksForDefaultService()
        && !services.containsKey(needs.serviceName())) {
      return " Correct spec.runtimeServiceName, or add the service with `berth runtimes add`;"
          + " runtime services: %s.".formatted(list(services));
    }
    String handler = cluster.handler(needs.className());
    if (cluster.shapes().stream().anyMatch(one -> !one.traits().runtimes().isReported())) {
      return ""; // Nobody knows what those nodes offer.
    }
    Map<String, Place> handlers = places(ReportedRuntimes::handlers, Function.identity());
    if (handler == null || handler.isEmpty() || handlers.containsKey(handler)) {
      return "";
    }
    return " Correct the handler of the RuntimeClass, or configure it in a runtime; handlers: %s."
        .formatted(list(handlers));
  }

  private <T> Map<String, Place> places(
      Function<ReportedRuntimes, ? extends Iterable<T>> things, Function<T, String> name) {
    Map<String, Place> places = new TreeMap<>();
    for (NodeShape shape : cluster.shapes()) {
      Place here = new Place(shape.size(), shape.example().name());
      for (T thing : things.apply(shape.traits().runtimes())) {
        if (!name.apply(thing).isEmpty()) {
          places.merge(name.apply(thing), here, Place::plus);
        }
      }
    }
    return places;
  }

  private static String list(Map<String, Place> places) {
    return list(places.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()));
  }

  private static String list(Stream<String> things) {
    String text = things.limit(MOST).collect(Collectors.joining(", "));
    return text.isEmpty() ? "none" : text;
  }
}
