package dev.berth.registry.transport;

/// Why a registry could not be used; each kind has its own remedy.
public enum FailureKind {
  NOT_FOUND,
  /// Credentials are missing or wrong.
  UNAUTHORIZED,
  /// The credentials are right, but not for this image.
  FORBIDDEN,
  RATE_LIMITED,
  SERVER_ERROR,
  UNREACHABLE,
  /// The registry is too slow, or sends nothing more.
  TIMED_OUT,
  /// The caller was interrupted.
  CANCELLED,
  /// TLS fails, or the registry leads to a place that a client must not follow to.
  UNTRUSTED,
  /// An answer that no registry gives.
  UNEXPECTED_ANSWER,
  NOT_A_MANIFEST,
  TOO_LARGE,
  WRONG_DIGEST,
  NO_MATCHING_ENTRY,
  /// This machine cannot keep what the registry sends.
  LOCAL_ERROR;

  /// Whether another mirror, or the registry itself, may do better.
  boolean isOfThisEndpoint() {
    return this != CANCELLED && this != NO_MATCHING_ENTRY && this != LOCAL_ERROR;
  }
}
