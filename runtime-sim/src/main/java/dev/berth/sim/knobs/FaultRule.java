package dev.berth.sim.knobs;

import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;

/// A rule that delays or fails matching calls.
///
/// @param call the name of the call, such as `RunPodSandbox`
/// @param subject the pod, container, image or handler that the call must concern
/// @param jitter the upper bound of a random addition to the latency
/// @param hang whether the call gets no answer while the rule exists
public record FaultRule(
    GlobPattern call,
    Subject subject,
    Duration latency,
    Duration jitter,
    Optional<Failure> failure,
    boolean hang,
    RuleFrequency frequency) {
  /// The error that a call answers with.
  public record Failure(Status.Code code, String text) {}

  /// The pod, container, image or handler that a call must concern. A call that names none of a
  /// kind matches only a pattern that matches everything.
  public record Subject(
      GlobPattern handler,
      GlobPattern image,
      GlobPattern namespace,
      GlobPattern pod,
      GlobPattern container) {
    public static final Subject ANYTHING =
        new Subject(
            GlobPattern.ANYTHING,
            GlobPattern.ANYTHING,
            GlobPattern.ANYTHING,
            GlobPattern.ANYTHING,
            GlobPattern.ANYTHING);

    boolean fits(Facts facts) {
      return handler.fits(facts.handler())
          && image.fits(facts.image())
          && namespace.fits(facts.namespace())
          && pod.fits(facts.pod())
          && container.fits(facts.container());
    }
  }

  /// The pod, container, image and handler of a call; empty where the call names none.
  public record Facts(
      String handler, String image, String namespace, String pod, String container) {
    public static final Facts NONE = new Facts("", "", "", "", "");
  }
}
