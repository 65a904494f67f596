package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Lists the images of services, each with the handlers that it is for.
public final class ServiceImages {
  private final RuntimeServices runtimes;

  public ServiceImages(RuntimeServices runtimes) {
    this.runtimes = runtimes;
  }

  /// All images of a service, whatever their handler. Handlers with a platform of their own are
  /// also asked for one by one: a runtime may keep their images apart.
  ///
  /// @throws dev.berth.cri.CriException when the service does not say
  public List<ListedImage> list(ImageService service) {
    Map<String, List<HandlerImage>> known = runtimes.imageHandlers().byDigest(service);
    List<Image> all = service.client().listImages(ImageFilter.getDefaultInstance());
    Map<String, Image> found = new LinkedHashMap<>();
    all.forEach(image -> found.put(key(image), image));
    platforms(service)
        .forEach(
            (handler, platform) ->
                service
                    .client()
                    .listImages(filter(handler, platform))
                    .forEach(image -> found.putIfAbsent(key(image), image)));
    return found.values().stream().map(image -> ListedImage.of(image, known)).toList();
  }

  private static String key(Image image) {
    return image.getId() + "," + ImageAnnotations.handler(image.getSpec());
  }

  private Map<String, ImagePlatform> platforms(ImageService service) {
    Map<String, ImagePlatform> platforms = new HashMap<>();
    for (ServiceHandler handler : runtimes.handlersOf(service)) {
      ImagePlatform platform = handler.platform();
      if (!handler.name().isEmpty() && platform != null) {
        platforms.put(handler.name(), platform);
      }
    }
    return platforms;
  }

  private static ImageFilter filter(String handler, ImagePlatform platform) {
    return ImageFilter.newBuilder()
        .setImage(ImageAnnotations.mark(ImageSpec.newBuilder(), handler, platform))
        .build();
  }
}
