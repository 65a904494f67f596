package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.ListedImage;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceImages;
import dev.berth.agent.runtimes.ServiceQueries;
import dev.berth.agent.runtimes.ServiceQueries.Answer;
import dev.berth.api.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Lists the images of all image services in parallel; one that does not answer does not affect the
/// others.
final class ImageListing {
  /// Listing thousands of images takes time.
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final List<ImageEntry> images = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  private ImageListing() {}

  static AdminAnswer of(RuntimeServices runtimes) {
    ServiceImages images = new ServiceImages(runtimes);
    ServiceQueries inquiry = new ServiceQueries(runtimes, LONGEST);
    Map<String, Supplier<Answer<List<ListedImage>>>> asked = new LinkedHashMap<>();
    for (ImageService service : runtimes.imageServices()) {
      asked.put(service.name(), inquiry.ask(service, () -> images.list(service)));
    }
    ImageListing listing = new ImageListing();
    asked.forEach((service, answer) -> listing.add(service, answer.get()));
    return new AdminAnswer.Images(listing.images, listing.problems);
  }

  private void add(String service, Answer<List<ListedImage>> answer) {
    switch (answer) {
      case Answer.Given<List<ListedImage>>(var list) ->
          list.forEach(image -> images.addAll(ImageEntry.of(service, image)));
      case Answer.Missing<List<ListedImage>>(String why) ->
          problems.add(
              new Problem(
                  "the images of \"%s\" are not known".formatted(service),
                  why,
                  "Look at it with `berth runtimes list`"));
    }
  }
}
