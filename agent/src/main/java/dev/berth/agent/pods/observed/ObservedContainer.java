package dev.berth.agent.pods.observed;

import dev.berth.api.TruncatedText;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A container as its runtime service has it.
///
/// @param attempt counts the instances of the same container of the pod, from 0
/// @param image as the service names it
/// @param imageId what the image's content is
/// @param startedAt null before it was started
/// @param finishedAt null before it ended
/// @param reason and `message`: why it ended, in the runtime's words
public record ObservedContainer(
    String id,
    String sandboxId,
    String name,
    int attempt,
    State state,
    String image,
    String imageId,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    int exitCode,
    String reason,
    String message,
    String logPath,
    Map<String, String> annotations) {
  /// Where it is in its life.
  public enum State {
    CREATED(0),
    RUNNING(1),
    UNKNOWN(1),
    EXITED(2),
    /// Whoever had it started went away meanwhile, so that it never ran.
    CANCELLED(2);

    /// Containers go through states in this order and never back.
    final int rank;

    State(int rank) {
      this.rank = rank;
    }

    /// As a list has it, which says of none that it was cancelled.
    static State of(ContainerState state) {
      return switch (state) {
        case CONTAINER_CREATED -> CREATED;
        case CONTAINER_RUNNING -> RUNNING;
        case CONTAINER_EXITED -> EXITED;
        case CONTAINER_UNKNOWN, UNRECOGNIZED -> UNKNOWN;
      };
    }
  }

  /// How containerd ends its report of a start whose caller is gone, or which another containerd
  /// had begun that was killed meanwhile: the task was made, and nothing runs in it.
  private static final Pattern CANCELLED =
      Pattern.compile(
          "(context canceled|start failed: : signal: killed)(: unknown)?$"
              + "|^failed to create containerd task: task [0-9a-f]+: already exists(: unknown)?$");

  /// As the API allows reasons of conditions.
  private static final int LONGEST_REASON = 1024;

  /// What a start says in a sandbox whose own was called off: it is shown as ready and has no
  /// process.
  private static final Pattern NO_SANDBOX =
      Pattern.compile(
          "unable to create new parent process: namespace path: lstat /proc/0/ns/\\w+: no such file or directory(: unknown)?$");

  public ObservedContainer {
    annotations = Map.copyOf(annotations);
  }

  public static ObservedContainer of(String sandboxId, ContainerStatus status) {
    return new ObservedContainer(
        status.getId(),
        sandboxId,
        status.getMetadata().getName(),
        status.getMetadata().getAttempt(),
        wasCancelled(status) ? State.CANCELLED : State.of(status.getState()),
        status.getImage().getImage(),
        status.getImageRef(),
        CriTimestamps.instant(status.getCreatedAt()),
        CriTimestamps.nullable(status.getStartedAt()),
        CriTimestamps.nullable(status.getFinishedAt()),
        status.getExitCode(),
        TruncatedText.of(status.getReason(), LONGEST_REASON),
        TruncatedText.cut(status.getMessage(), TruncatedText.MESSAGE),
        status.getLogPath(),
        status.getAnnotationsMap());
  }

  private static boolean wasCancelled(ContainerStatus status) {
    return status.getState() == ContainerState.CONTAINER_EXITED
        && status.getStartedAt() == 0
        && status.getReason().equals("StartError")
        && (CANCELLED.matcher(status.getMessage()).find()
            || NO_SANDBOX.matcher(status.getMessage()).find());
  }

  /// One that was made and not yet started: of those a list says all that matters.
  static ObservedContainer created(Container listed) {
    return new ObservedContainer(
        listed.getId(),
        listed.getPodSandboxId(),
        listed.getMetadata().getName(),
        listed.getMetadata().getAttempt(),
        State.CREATED,
        listed.getImage().getImage(),
        listed.getImageRef(),
        CriTimestamps.instant(listed.getCreatedAt()),
        null,
        null,
        0,
        "",
        "",
        "",
        listed.getAnnotationsMap());
  }

  /// Whether it was ever there, for all that users see.
  public boolean hasBegun() {
    return state != State.CREATED && state != State.CANCELLED;
  }

  public boolean isRunning() {
    return state == State.RUNNING;
  }

  public boolean hasExited() {
    return state == State.EXITED;
  }

  /// Whether it could not be started because its sandbox is none.
  public boolean lacksSandbox() {
    return state == State.CANCELLED && NO_SANDBOX.matcher(message).find();
  }

  /// Whether nothing of it runs or will.
  public boolean isOver() {
    return state == State.EXITED || state == State.CANCELLED;
  }
}
