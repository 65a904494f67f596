package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The images on a node.
///
/// @param names of all images
/// @param byHandler images of handlers with an image store of their own, from an annotation
public record NodeImages(Set<String> names, Map<String, Set<String>> byHandler) {
  public static final NodeImages NONE = new NodeImages(Set.of(), Map.of());
  public static final String ANNOTATION = "berth.dev/images-by-handler";

  public NodeImages {
    names = Set.copyOf(names);
    byHandler = Map.copyOf(byHandler);
  }

  static NodeImages parse(JsonNode node) {
    Set<String> names = new HashSet<>();
    for (JsonNode image : node.path("status").path("images")) {
      image.path("names").forEach(name -> names.add(ImageNames.normal(name.asText())));
    }
    Map<String, Set<String>> byHandler = new HashMap<>();
    String annotation = node.path("metadata").path("annotations").path(ANNOTATION).asText();
    ReportedRuntimes.readObject(annotation)
        .properties()
        .forEach(
            entry -> {
              Set<String> own =
                  new HashSet<>(
                      ObjectTrees.each(entry.getValue(), name -> ImageNames.normal(name.asText())));
              byHandler.put(entry.getKey(), own);
              names.addAll(own);
            });
    return names.isEmpty() && byHandler.isEmpty() ? NONE : new NodeImages(names, byHandler);
  }

  public boolean has(String image, String handler) {
    // A handler that the annotation does not name shares the image store of the node.
    return byHandler.getOrDefault(handler, names).contains(image);
  }
}
