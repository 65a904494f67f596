package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.usage.NodeImage;
import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.CriEndpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The images of a node in its Node object (docs/runtime-services-contract.md).
record ImageReport(List<NodeImage> images, RuntimeSnapshot runtimes) {
  static final String ANNOTATION = "berth.dev/images-by-handler";

  /// Upstream's limit for the list of images.
  private static final int MOST = 50;

  private static final Comparator<NodeImage> LARGEST_FIRST =
      Comparator.comparingLong(NodeImage::size)
          .reversed()
          .thenComparing(image -> names(image).getFirst());

  /// The largest images, each once.
  ArrayNode largest() {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    images.stream()
        .sorted(LARGEST_FIRST)
        .map(image -> Map.entry(names(image), image.size()))
        .distinct()
        .limit(MOST)
        .forEach(
            image -> {
              ArrayNode names = list.addObject().putArray("names");
              image.getKey().forEach(names::add);
              ((ObjectNode) list.get(list.size() - 1)).put("sizeBytes", image.getValue());
            });
    return list;
  }

  private static List<String> names(NodeImage image) {
    return Stream.concat(image.digests().stream(), image.tags().stream()).toList();
  }

  /// The images of handlers that cannot use all images of the node: of services with their own
  /// store, and of services some of whose images are for one handler alone. Empty when every
  /// handler can use every image.
  String byHandler() {
    boolean severalStores =
        runtimes.services().stream().map(RuntimeService::imageEndpoint).distinct().count() > 1;
    Map<String, TreeSet<String>> names = new TreeMap<>();
    for (RuntimeService service : runtimes.services()) {
      List<NodeImage> store = store(service.imageEndpoint());
      if (severalStores || store.stream().anyMatch(image -> !image.handlers().isEmpty())) {
        for (String handler : handlers(service)) {
          names
              .computeIfAbsent(handler, _ -> new TreeSet<>())
              .addAll(
                  store.stream().anyMatch(isFor(handler)) ? own(store, handler) : shared(store));
        }
      }
    }
    ObjectNode annotation = JsonNodeFactory.instance.objectNode();
    names.forEach(
        (handler, own) -> {
          ArrayNode list = annotation.putArray(handler);
          own.forEach(list::add);
        });
    return annotation.isEmpty() ? "" : annotation.toString();
  }

  private List<NodeImage> store(CriEndpoint endpoint) {
    return images.stream()
        .filter(image -> image.store().equals(endpoint))
        .sorted(LARGEST_FIRST)
        .toList();
  }

  private static Predicate<NodeImage> isFor(String handler) {
    return image -> image.handlers().stream().anyMatch(one -> one.handler().equals(handler));
  }

  private static List<String> own(List<NodeImage> store, String handler) {
    return store.stream()
        .filter(isFor(handler))
        .limit(MOST)
        .flatMap(image -> image.handlers().stream())
        .filter(one -> one.handler().equals(handler))
        .map(HandlerImage::name)
        .toList();
  }

  /// Those of no handler in particular.
  private static List<String> shared(List<NodeImage> store) {
    return store.stream()
        .filter(image -> image.handlers().isEmpty())
        .limit(MOST)
        .flatMap(image -> image.tags().stream())
        .toList();
  }

  private static List<String> handlers(RuntimeService service) {
    return service.handlers().list().stream()
        .map(ServiceHandler::name)
        .filter(name -> !name.isEmpty())
        .toList();
  }
}
