package dev.berth.sim.registry;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.registry.ImageManifest.ContentDescriptor;
import dev.berth.registry.ImageReference;
import dev.berth.registry.RegistryException;
import dev.berth.registry.transport.FailureKind;
import io.grpc.Status;

/// The failures of registries with containerd's texts and codes. Agents and kubelets read the texts
/// to distinguish reasons, so they are kept to the letter.
final class PullFailures {
  private PullFailures() {}

  /// The reference does not lead to an index or manifest.
  static CallRefusal unresolved(ImageReference reference, RegistryException failure) {
    String name = reference.digest().isEmpty() ? reference.tag() : reference.digest();
    CallRefusal refusal =
        failure.kind() == FailureKind.NOT_FOUND
            ? CallRefusal.notFound(reference + ": not found")
            : other(reference, "manifests " + name, failure);
    return refusal.in("failed to resolve reference \"%s\"".formatted(reference));
  }

  /// What an index or manifest names is not there.
  static CallRefusal uncopied(
      ImageReference reference, ContentDescriptor wanted, RegistryException failure) {
    if (failure.kind() == FailureKind.NOT_FOUND) {
      return CallRefusal.notFound(
          "failed to copy: httpReadSeeker: failed open: could not fetch content descriptor %s (%s) from remote: not found"
              .formatted(wanted.digest(), wanted.mediaType()));
    }
    return other(reference, "blobs " + wanted.digest(), failure);
  }

  private static CallRefusal other(
      ImageReference reference, String request, RegistryException failure) {
    if (failure.kind() == FailureKind.CANCELLED) {
      return new CallRefusal(Status.Code.CANCELLED, "context canceled");
    }
    if (failure.kind() == FailureKind.WRONG_DIGEST) {
      return CallRefusal.precondition(
          "failed commit: %s: failed precondition".formatted(failure.problem().why()));
    }
    return CallRefusal.unknown(
        failure.status() == 0
            ? "failed to do request: " + failure.problem().why()
            : "pulling from host %s failed with status code [%s]: %d%s"
                .formatted(
                    reference.registry(), request, failure.status(), reason(failure.status())));
  }

  private static String reason(int status) {
    return switch (status) {
      case 401 -> " Unauthorized";
      case 403 -> " Forbidden";
      case 429 -> " Too Many Requests";
      case 500 -> " Internal Server Error";
      case 503 -> " Service Unavailable";
      default -> "";
    };
  }
}
