package dev.berth.agent.runtimes.admin;

import dev.berth.cri.v1.Image;
import java.util.List;

/// An image as administrators see it.
///
/// @param service the runtime service that has it
/// @param names tags, or digests where there are none
public record ImageEntry(String service, List<String> names, String id, long bytes) {
  public ImageEntry {
    names = List.copyOf(names);
  }

  static ImageEntry of(String service, Image image) {
    return new ImageEntry(
        service,
        image.getRepoTagsCount() > 0 ? image.getRepoTagsList() : image.getRepoDigestsList(),
        image.getId(),
        image.getSize());
  }
}
