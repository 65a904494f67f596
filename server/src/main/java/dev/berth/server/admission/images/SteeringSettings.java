package dev.berth.server.admission.images;

import dev.berth.registry.RegistrySettings;
import java.time.Duration;
import java.util.function.Supplier;

/// How the server steers pods by their images.
///
/// @param mode of namespaces that do not choose one by label
/// @param limit how long the creation of a pod waits for registries
/// @param refuseUnknown whether a pod is refused whose images cannot be looked up
/// @param registries how the server reaches registries, which may change
public record SteeringSettings(
    SteeringMode mode,
    Duration limit,
    boolean refuseUnknown,
    Supplier<RegistrySettings> registries) {
  public static final Duration USUAL_LIMIT = Duration.ofSeconds(3);
  public static final SteeringSettings STANDARD =
      new SteeringSettings(SteeringMode.OFF, USUAL_LIMIT, false);

  public SteeringSettings(SteeringMode mode, Duration limit, boolean refuseUnknown) {
    this(mode, limit, refuseUnknown, () -> RegistrySettings.USUAL);
  }

  public SteeringSettings with(Supplier<RegistrySettings> others) {
    return new SteeringSettings(mode, limit, refuseUnknown, others);
  }
}
