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
/// @param containerd that section; a missing node when the runtime returns none
record RuntimeOptions(JsonNode containerd) {
  /// The option of the Windows shim: 0 is process isolation, 1 is Hyper-V.
  private static final String ISOLATION = TargetPlatform.ISOLATION_OPTION;

  /// The table of handlers with their own platform, since containerd 1.7.
  private static final String PLATFORMS = "runtimePlatforms";

  private static final String WINDOWS_GUEST = "windows/amd64";

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

  /// KEP-1301 puts the sandbox platform into a handler's options. containerd 2.4 has a separate
  /// table, from which it takes only the snapshotter.
  private @Nullable ImagePlatform platform(String name) {
    String guest = option(name, TargetPlatform.PLATFORM_OPTION).asText();
    String version = option(name, TargetPlatform.VERSION_OPTION).asText();
    String table = containerd.path(PLATFORMS).path(name).path("platform").asText();
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
