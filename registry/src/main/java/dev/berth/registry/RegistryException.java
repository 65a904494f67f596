package dev.berth.registry;

import dev.berth.api.Problem;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.TransportException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An image could not be looked up or read. The message names image and registry and says what to
/// do; it goes unchanged to the person who named the image.
public final class RegistryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;
  private final int status;
  private final transient Problem problem;
  private final transient @Nullable PlatformMismatch mismatch;

  RegistryException(Problem problem, TransportException cause) {
    super(problem.toString(), cause);
    this.kind = cause.kind();
    this.status = cause.status();
    this.problem = problem;
    this.mismatch = null;
  }

  /// No entry of the image fits.
  RegistryException(PlatformMismatch mismatch) {
    super(mismatch.advice());
    this.kind = FailureKind.NO_MATCHING_ENTRY;
    this.status = 0;
    this.problem = new Problem(mismatch.what(), mismatch.why(), PlatformMismatch.REMEDY);
    this.mismatch = mismatch;
  }

  public FailureKind kind() {
    return kind;
  }

  /// Of the registry's answer; 0 when there was none, or when it was a success.
  public int status() {
    return status;
  }

  /// What the image has instead, when no entry fits.
  public Optional<PlatformMismatch> mismatch() {
    return Optional.ofNullable(mismatch);
  }

  public Problem problem() {
    return problem;
  }
}
