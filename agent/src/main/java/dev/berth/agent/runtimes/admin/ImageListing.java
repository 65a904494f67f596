package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.api.Problem;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.ImageFilter;
import java.util.ArrayList;
import java.util.List;

/// Asks every image service what it has; one that does not answer leaves the others alone.
final class ImageListing {
  private final List<ImageEntry> images = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  private ImageListing() {}

  static AdminAnswer of(Runtimes runtimes) {
    ImageListing listing = new ImageListing();
    runtimes.imageServices().forEach(listing::ask);
    return new AdminAnswer.Images(listing.images, listing.problems);
  }

  private void ask(ImageService service) {
    try {
      service.client().listImages(ImageFilter.getDefaultInstance()).stream()
          .map(image -> ImageEntry.of(service.name(), image))
          .forEach(images::add);
    } catch (CriException e) {
      problems.add(
          new Problem(
              "the images of \"%s\" are not known".formatted(service.name()),
              String.valueOf(e.getMessage()),
              "Look at it with `berth runtimes list`"));
    }
  }
}
