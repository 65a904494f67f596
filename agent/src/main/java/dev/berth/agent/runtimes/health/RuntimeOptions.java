package dev.berth.agent.runtimes.health;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of runtimes in the configuration that containerd returns in a verbose status.
///
/// @param containerd the section with the handlers; a missing node when the runtime returns none
/// @param platforms the table of handlers with a platform of their own (`runtime_platforms`), which
///   belongs to the configuration of images; containerd 2 has it in a plugin of its own and leaves
///   it out of the status, so that the platform is declared at the registration
record RuntimeOptions(JsonNode containerd, JsonNode platforms) {
  /// The option of the Windows shim: 0 is process isolation, 1 is Hyper-V.
  private static final String ISOLATION = TargetPlatform.ISOLATION_OPTION;

  private static final String WINDOWS_GUEST = "windows/amd64";

  /// @param config the whole configuration; may be a missing node
  static RuntimeOptions of(JsonNode config) {
    return new RuntimeOptions(config.path("containerd"), config.path("runtimePlatforms"));
  }

  List<ServiceHandler> handlers() {
    List<ServiceHandler> handlers = new ArrayList<>();
    containerd
        .path("runtimes")
        .fieldNames()
        .forEachRemaining(name -> handlers.add(describe(ServiceHandler.named(name))));
    // Every service has a handler without a name; it is listed only if its options matter.
    ServiceHandler unnamed = describe(ServiceHandler.named(""));
    if (!handlers.isEmpty()
        && (unnamed.isolation() == HandlerIsolation.HYPERV || unnamed.platform() != null)) {
      handlers.add(unnamed);
    }
    return handlers;
  }

  /// Adds isolation and platform from the configuration.
  ///
  /// @param handler with an empty name for the default one
  ServiceHandler describe(ServiceHandler handler) {
    String name = nameOf(handler.name());
    return handler.with(isolation(name)).with(platform(name));
  }

  private String nameOf(String handler) {
    return handler.isEmpty() ? containerd.path("defaultRuntimeName").asText() : handler;
  }

  private HandlerIsolation isolation(String name) {
    return switch (option(name, ISOLATION).asText()) {
      case "1" -> HandlerIsolation.HYPERV;
      case "0" -> HandlerIsolation.PROCESS;
      default -> HandlerIsolation.UNKNOWN;
    };
  }

  /// KEP-1301 puts the sandbox platform into a handler's options.
  private @Nullable ImagePlatform platform(String name) {
    String guest = option(name, TargetPlatform.PLATFORM_OPTION).asText();
    String version = option(name, TargetPlatform.VERSION_OPTION).asText();
    String table = platforms.path(name).path("platform").asText();
    Optional<ImagePlatform> written =
        ImagePlatform.parseWithVersion(guest)
            .or(() -> ImagePlatform.parseWithVersion(table))
            // Only Windows handlers have a version.
            .or(() -> version.isEmpty() ? Optional.empty() : ImagePlatform.parse(WINDOWS_GUEST));
    return written
        .map(platform -> version.isEmpty() ? platform : platform.withOsVersion(version))
        .orElse(null);
  }

  private JsonNode option(String name, String option) {
    return containerd.path("runtimes").path(name).path("options").path(option);
  }
}
