package dev.berth.server.admission.plugins;

import dev.berth.server.admission.images.SteeringSettings;
import dev.berth.server.podsecurity.PodSecurityConfiguration;

/// Configuration of admission, from upstream's `AdmissionConfiguration`.
///
/// @param hasControllers whether this process runs the controllers
/// @param steering of pods by the platforms of their images
public record AdmissionConfig(
    PodSecurityConfiguration podSecurity, boolean hasControllers, SteeringSettings steering) {
  public static final AdmissionConfig STANDARD =
      new AdmissionConfig(PodSecurityConfiguration.STANDARD);

  public AdmissionConfig(PodSecurityConfiguration podSecurity) {
    this(podSecurity, true, SteeringSettings.STANDARD);
  }

  public AdmissionConfig withControllers(boolean here) {
    return new AdmissionConfig(podSecurity, here, steering);
  }

  public AdmissionConfig with(SteeringSettings other) {
    return new AdmissionConfig(podSecurity, hasControllers, other);
  }
}
