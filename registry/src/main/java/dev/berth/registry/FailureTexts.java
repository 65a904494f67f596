package dev.berth.registry;

import dev.berth.api.Problem;
import dev.berth.registry.transport.FailureKind;

/// Turns the failure of a registry into words for the person who named the image.
final class FailureTexts {
  private static final String IN_HOSTS = " in hosts.toml of --registry-hosts";

  private FailureTexts() {}

  static Problem problem(ImageReference image, FailureKind kind, String why) {
    return new Problem(
        "image %s cannot be read".formatted(image.familiar()), why, remedy(image.registry(), kind));
  }

  private static String remedy(String registry, FailureKind kind) {
    return switch (kind) {
      case NOT_FOUND ->
          "Check name and tag; a private image of registry %s also needs a pull secret"
              .formatted(registry);
      case UNAUTHORIZED ->
          "Add a pull secret for registry %s to the pod or its service account, or correct the one that is there"
              .formatted(registry);
      case FORBIDDEN ->
          "Give the user of the pull secret for registry %s the right to read this repository"
              .formatted(registry);
      case RATE_LIMITED ->
          "Use a pull secret for registry %s, which usually raises the limit, or name a mirror"
                  .formatted(registry)
              + IN_HOSTS;
      case SERVER_ERROR, TIMED_OUT ->
          "Try again later, or name a mirror of registry %s".formatted(registry) + IN_HOSTS;
      case UNREACHABLE ->
          "Check the name %s, the network and the proxy (HTTPS_PROXY, NO_PROXY)"
              .formatted(registry);
      case UNTRUSTED ->
          "Use https with a certificate of a known authority for registry %s, or name its authority with --registry-ca or in --registry-hosts"
              .formatted(registry);
      case UNEXPECTED_ANSWER, NOT_A_MANIFEST ->
          "Check that registry %s serves images of schema 2 (OCI or Docker) under this name"
              .formatted(registry);
      case TOO_LARGE -> "Publish the image again in registry %s".formatted(registry);
      case WRONG_DIGEST ->
          "Do not use this image; ask the operator of registry %s".formatted(registry);
      case LOCAL_ERROR -> "Make room on the disk of this machine";
      case CANCELLED, NO_MATCHING_ENTRY -> "";
    };
  }
}
