package dev.berth.cri;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/// Failures that runtimes name at the start of their message and Kubernetes shows as a container's
/// waiting reason.
public enum CriErrorName {
  REGISTRY_UNAVAILABLE("RegistryUnavailable"),
  SIGNATURE_VALIDATION_FAILED("SignatureValidationFailed"),
  RRO_UNSUPPORTED("RROUnsupported"),
  IMAGE_VOLUME_MOUNT_FAILED("ImageVolumeMountFailed");

  private final String reason;
  private final Pattern atStart;

  CriErrorName(String reason) {
    this.reason = reason;
    // Runtimes that ask others over gRPC leave its prefix in the text.
    this.atStart = Pattern.compile("(?s)(rpc error: code = \\w+ desc = )*" + reason + "\\b.*");
  }

  /// As it stands in `state.waiting.reason`.
  public String reason() {
    return reason;
  }

  static Optional<CriErrorName> of(String message) {
    return Arrays.stream(values())
        .filter(name -> name.atStart.matcher(message).matches())
        .findFirst();
  }
}
