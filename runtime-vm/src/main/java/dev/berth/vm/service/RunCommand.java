package dev.berth.vm.service;

import com.google.protobuf.ByteString;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.vm.guest.GuestProcess;
import dev.berth.vm.guest.OutputSink;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.PodGuest;
import io.grpc.Context;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// `ExecSync`: runs a command to its end; the kubelet does so for probes and hooks. A timeout of
/// zero means no limit.
final class RunCommand {
  private static final String FAILED = "failed to exec in container";

  /// containerd's limit for the output; what comes after it is dropped.
  private static final int LARGEST_OUTPUT = 16 * 1024 * 1024;

  /// Longer than any call waits.
  private static final Duration FOREVER = Duration.ofDays(365);

  private final FoundPods found;
  private final RandomIds ids;

  RunCommand(FoundPods found, RandomIds ids) {
    this.found = found;
    this.ids = ids;
  }

  ExecSyncResponse call(ExecSyncRequest request) {
    Duration limit = Duration.ofSeconds(Math.max(0, request.getTimeout()));
    Thread waiting = Thread.currentThread();
    Context.CancellationListener giveUp = _ -> waiting.interrupt();
    Context.current().addListener(giveUp, Runnable::run);
    try {
      String id = request.getContainerId();
      LiveContainer container =
          found.running(id, "failed to find container \"%s\" in store".formatted(id));
      return run(container, request.getCmdList(), limit);
    } catch (CallRefusal e) {
      throw e.in(FAILED);
    } catch (InterruptedException _) {
      throw new CallRefusal(Status.Code.CANCELLED, "context canceled");
    } finally {
      Context.current().removeListener(giveUp);
    }
  }

  private ExecSyncResponse run(LiveContainer container, List<String> command, Duration limit)
      throws InterruptedException {
    ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    OutputSink sink =
        (stream, bytes) -> {
          ByteArrayOutputStream target = stream == GuestStream.STDERR ? stderr : stdout;
          target.write(bytes, 0, Math.min(bytes.length, LARGEST_OUTPUT - target.size()));
        };
    try (GuestProcess process =
        start(container, new GuestExec(container.id(), command, false, false), sink)) {
      Optional<GuestExit> exit = process.exit(limit.isZero() ? FOREVER : limit);
      if (exit.isEmpty()) {
        // The output until the limit is lost, as with containerd.
        throw new CallRefusal(
            Status.Code.DEADLINE_EXCEEDED,
            "timeout %ds exceeded: context deadline exceeded".formatted(limit.toSeconds()));
      }
      return ExecSyncResponse.newBuilder()
          .setStdout(ByteString.copyFrom(stdout.toByteArray()))
          .setStderr(ByteString.copyFrom(stderr.toByteArray()))
          .setExitCode(exit.get().code())
          .build();
    }
  }

  /// Starts a command. A program that the container does not have is reported as containerd and
  /// runc report it: probes and people look for these words.
  GuestProcess start(LiveContainer container, GuestExec exec, OutputSink sink) {
    String failed =
        "failed to start exec \"%s\": OCI runtime exec failed: exec failed: ".formatted(ids.id());
    if (exec.args().isEmpty()) {
      throw CallRefusal.unknown(failed + "args must not be empty: unknown");
    }
    try {
      return container
          .pod()
          .guest()
          .map(PodGuest::agent)
          .orElseThrow(() -> CallRefusal.unknown("container is not running"))
          .exec(exec, sink);
    } catch (GuestException e) {
      if (e.kind() != GuestException.FailureKind.INVALID) {
        throw CallFailures.refusal(e);
      }
      throw CallRefusal.unknown(
          "%sunable to start container process: exec: \"%s\": %s: unknown"
              .formatted(failed, exec.args().getFirst(), words(e.problem().why())));
    }
  }

  /// As Go's library describes the error of the kernel.
  private static String words(String why) {
    return why.contains("No such file or directory") || why.contains("not found")
        ? "executable file not found in $PATH"
        : why;
  }
}
