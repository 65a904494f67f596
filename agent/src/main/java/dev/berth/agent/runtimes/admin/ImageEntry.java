package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.ListedImage;
import dev.berth.cri.v1.Image;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// An image as administrators see it; an image of several handlers is an entry for each.
///
/// @param service the runtime service that has it
/// @param handler for which it was pulled; empty when it is not for one alone
/// @param names tags, or digests where there are none
public record ImageEntry(
    String service, String handler, List<String> names, String id, long bytes) {
  public ImageEntry {
    names = List.copyOf(names);
  }

  static List<ImageEntry> of(String service, ListedImage listed) {
    Image image = listed.image();
    Map<String, List<String>> byHandler =
        listed.handlers().stream()
            .collect(
                Collectors.groupingBy(
                    HandlerImage::handler,
                    TreeMap::new,
                    Collectors.mapping(HandlerImage::name, Collectors.toList())));
    List<ImageEntry> entries = new ArrayList<>();
    byHandler.forEach((handler, names) -> entries.add(of(service, handler, names, image)));
    List<String> others =
        image.getRepoTagsList().stream()
            .filter(tag -> byHandler.values().stream().noneMatch(names -> names.contains(tag)))
            .toList();
    if (byHandler.isEmpty() && others.isEmpty()) {
      entries.add(of(service, "", image.getRepoDigestsList(), image));
    } else if (!others.isEmpty()) {
      entries.add(of(service, "", others, image));
    }
    return entries;
  }

  private static ImageEntry of(String service, String handler, List<String> names, Image image) {
    return new ImageEntry(service, handler, names, image.getId(), image.getSize());
  }
}
