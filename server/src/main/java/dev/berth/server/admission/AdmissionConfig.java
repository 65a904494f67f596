package dev.berth.server.admission;

import dev.berth.server.podsecurity.PodSecurityConfiguration;

/// What an administrator decides about admission, in upstream's `AdmissionConfiguration`.
///
/// @param hasControllers whether this server runs controllers, rather than leave that to others
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
