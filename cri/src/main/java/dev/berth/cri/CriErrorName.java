package dev.berth.cri;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/// The failures that runtimes name at the start of an error text. Kubernetes shows the name as a
/// container's waiting reason.
///
/// Kubernetes defines the names in `cri-api/pkg/errors`; a runtime puts one at the start of the
/// message.
public enum CriErrorName {
  REGISTRY_UNAVAILABLE("RegistryUnavailable"),
  SIGNATURE_VALIDATION_FAILED("SignatureValidationFailed"),
  RRO_UNSUPPORTED("RROUnsupported"),
  IMAGE_VOLUME_MOUNT_FAILED("ImageVolumeMountFailed");

  private final String reason;
  private final Pattern atStart;

  CriErrorName(String reason) {
    this.reason = reason;
    // A runtime that calls another service over gRPC leaves gRPC's prefix in the text.
    this.atStart = Pattern.compile("(?s)(rpc error: code = \\w+ desc = )*" + reason + "\\b.*");
  }

  /// The name as `state.waiting.reason` shows it.
  public String reason() {
    return reason;
  }

  static Optional<CriErrorName> of(String message) {
    return Arrays.stream(values())
        .filter(name -> name.atStart.matcher(message).matches())
        .findFirst();
  }
}
