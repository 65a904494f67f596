package dev.berth.sim.knobs;

import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;

/// What goes wrong with which calls.
///
/// @param call the call's name, such as `RunPodSandbox`
/// @param subject what the call must be about
/// @param jitter up to so much is added to the latency, by chance
/// @param hang the call is never answered, as long as the rule is there
public record FaultRule(
    GlobPattern call,
    Subject subject,
    Duration latency,
    Duration jitter,
    Optional<Failure> failure,
    boolean hang,
    RuleFrequency frequency) {
  /// What a call answers instead.
  public record Failure(Status.Code code, String text) {}

  /// What a call must be about; a call that does not name such a thing does not fit, unless
  /// anything does.
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

  /// What a call is about; empty where it does not say.
  public record Facts(
      String handler, String image, String namespace, String pod, String container) {
    public static final Facts NONE = new Facts("", "", "", "", "");
  }
}
