package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.usage.NodeImage;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.CriEndpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /// The images that are usable only by some handlers: those pulled for a handler, and those of its
  /// service's own store. Empty when every handler can use every image.
  String byHandler() {
    boolean severalStores =
        runtimes.services().stream().map(RuntimeService::imageEndpoint).distinct().count() > 1;
    Map<String, TreeSet<String>> tags = new TreeMap<>();
    for (RuntimeService service : runtimes.services()) {
      for (String handler : handlers(service)) {
        boolean apart = pulledFor(service.imageEndpoint(), handler).findAny().isPresent();
        if (apart || severalStores) {
          TreeSet<String> own = tags.computeIfAbsent(handler, _ -> new TreeSet<>());
          pulledFor(service.imageEndpoint(), apart ? handler : "")
              .sorted(LARGEST_FIRST)
              .limit(MOST)
              .forEach(image -> own.addAll(image.tags()));
        }
      }
    }
    ObjectNode annotation = JsonNodeFactory.instance.objectNode();
    tags.forEach((handler, names) -> names.forEach(annotation.putArray(handler)::add));
    return annotation.isEmpty() ? "" : annotation.toString();
  }

  private static List<String> handlers(RuntimeService service) {
    return service.handlers().list().stream()
        .map(ServiceHandler::name)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  private Stream<NodeImage> pulledFor(CriEndpoint store, String handler) {
    return images.stream()
        .filter(image -> image.store().equals(store) && image.handler().equals(handler));
  }
}
