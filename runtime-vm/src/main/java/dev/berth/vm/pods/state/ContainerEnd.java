package dev.berth.vm.pods.state;

/// How a container ended.
///
/// @param finishedAt nanoseconds since the epoch; 0 while it has not ended
/// @param reason one word, such as `Completed`
public record ContainerEnd(long finishedAt, int exitCode, String reason, String message) {
  public static final ContainerEnd NONE = new ContainerEnd(0, 0, "", "");

  /// Exit code of a program that SIGKILL ended: 128 and the signal's number.
  public static final int KILLED = 137;

  /// containerd's exit code of a program that could not be started.
  public static final int START_FAILED = 128;

  /// The end of a program that ran, with the reason that runtimes derive from its code.
  public static ContainerEnd of(long finishedAt, int exitCode, boolean outOfMemory) {
    String reason = outOfMemory ? "OOMKilled" : exitCode == 0 ? "Completed" : "Error";
    return new ContainerEnd(finishedAt, exitCode, reason, "");
  }
}
