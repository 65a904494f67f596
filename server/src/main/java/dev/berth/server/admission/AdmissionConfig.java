package dev.berth.server.admission;

import dev.berth.server.podsecurity.PodSecurityConfiguration;

/// Configuration of admission, from upstream's `AdmissionConfiguration`.
///
/// @param hasControllers whether this process runs the controllers
public record AdmissionConfig(PodSecurityConfiguration podSecurity, boolean hasControllers) {
  public static final AdmissionConfig STANDARD =
      new AdmissionConfig(PodSecurityConfiguration.STANDARD);

  public AdmissionConfig(PodSecurityConfiguration podSecurity) {
    this(podSecurity, true);
  }

  public AdmissionConfig withControllers(boolean here) {
    return new AdmissionConfig(podSecurity, here);
  }
}
