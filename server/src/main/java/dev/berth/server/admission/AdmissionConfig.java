package dev.berth.server.admission;

import dev.berth.server.podsecurity.PodSecurityConfiguration;

/// What an administrator decides about admission, in upstream's `AdmissionConfiguration`.
public record AdmissionConfig(PodSecurityConfiguration podSecurity) {
  public static final AdmissionConfig STANDARD =
      new AdmissionConfig(PodSecurityConfiguration.STANDARD);
}
