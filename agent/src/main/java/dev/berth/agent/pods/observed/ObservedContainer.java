package dev.berth.agent.pods.observed;

import dev.berth.api.TruncatedText;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A container as its runtime service reports it.
///
/// @param attempt the number of the instance of this container in the pod, from 0
/// @param image the name that the service uses
/// @param imageId identifies the image's content
/// @param startedAt null before the start
/// @param finishedAt null before the end
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
  /// The states of a container, in the order in which a container passes them.
  public enum State {
    CREATED(0),
    RUNNING(1),
    UNKNOWN(1),
    EXITED(2),
    /// The caller of its start went away in between, so it never ran.
    CANCELLED(2);

    /// A container never returns to a state of lower rank.
    final int rank;

    State(int rank) {
      this.rank = rank;
    }

    /// The state in a list, which does not distinguish cancelled containers.
    static State of(ContainerState state) {
      return switch (state) {
        case CONTAINER_CREATED -> CREATED;
        case CONTAINER_RUNNING -> RUNNING;
        case CONTAINER_EXITED -> EXITED;
        case CONTAINER_UNKNOWN, UNRECOGNIZED -> UNKNOWN;
      };
    }
  }

  /// The messages of containerd for a start whose caller is gone, or that was begun by a containerd
  /// that was killed: the task exists and nothing runs in it.
  private static final Pattern CANCELLED =
      Pattern.compile(
          "(context canceled|start failed: : signal: killed)(: unknown)?$"
              + "|^failed to create containerd task: task [0-9a-f]+: already exists(: unknown)?$");

  /// The API's limit for reasons.
  private static final int LONGEST_REASON = 1024;

  /// The message for a start in a sandbox whose own start was cancelled: the sandbox is reported
  /// ready and has no process.
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

  /// A container that is created but not started: a list has all that matters.
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

  /// Whether the container has started, as users see it.
  public boolean hasBegun() {
    return state != State.CREATED && state != State.CANCELLED;
  }

  public boolean isRunning() {
    return state == State.RUNNING;
  }

  public boolean hasExited() {
    return state == State.EXITED;
  }

  /// Whether the start failed because the sandbox has no namespaces.
  public boolean lacksSandbox() {
    return state == State.CANCELLED && NO_SANDBOX.matcher(message).find();
  }

  /// Whether the container neither runs nor will.
  public boolean isOver() {
    return state == State.EXITED || state == State.CANCELLED;
  }
}
