package dev.berth.agent.images;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.registry.platforms.ImagePlatform;

/// The platforms of the handlers whose images are at a service.
///
/// @param host what handlers run that name no platform
record HandlerPlatforms(ImageService service, RuntimeServices runtimes, ImagePlatform host) {
  ImagePlatform platform(String handler) {
    return runtimes.handlersOf(service).stream()
        .filter(known -> known.name().equals(handler))
        .findFirst()
        .orElseGet(() -> ServiceHandler.named(handler))
        .target(host)
        .platform();
  }
}
