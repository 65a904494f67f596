package dev.berth.agent.runtimes;

import dev.berth.cri.v1.ImageFilter;
import java.util.List;
import java.util.Map;

/// Lists the images of services, each with the handlers that it is for.
public final class ServiceImages {
  private final RuntimeServices runtimes;

  public ServiceImages(RuntimeServices runtimes) {
    this.runtimes = runtimes;
  }

  /// All images of a service, whatever their handler.
  ///
  /// @throws dev.berth.cri.CriException when the service does not say
  public List<ListedImage> list(ImageService service) {
    Map<String, List<HandlerImage>> known = runtimes.imageHandlers().byDigest(service);
    return service.client().listImages(ImageFilter.getDefaultInstance()).stream()
        .map(image -> ListedImage.of(image, known))
        .toList();
  }
}
