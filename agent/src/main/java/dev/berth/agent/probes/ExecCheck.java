package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeResult.Errored;
import dev.berth.agent.probes.ProbeResult.Failure;
import dev.berth.agent.probes.ProbeResult.Success;
import dev.berth.agent.probes.ProbeResult.Unknown;
import dev.berth.agent.probes.ProbeWorkers.Subject;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.ExecSyncResponse;
import io.fabric8.kubernetes.api.model.ExecAction;
import java.time.Duration;

/// Runs a command in the container: exit code 0 is success.
final class ExecCheck {
  private ExecCheck() {}

  static ProbeResult make(Subject subject, ExecAction action, Duration limit) {
    try {
      ExecSyncResponse ended =
          subject.service().runtime().execSync(subject.containerId(), action.getCommand(), limit);
      return ended.getExitCode() == 0 ? new Success() : new Failure(output(ended));
    } catch (CriException e) {
      return switch (e.code()) {
        case DEADLINE_EXCEEDED ->
            new Failure("command timed out after %ds".formatted(limit.toSeconds()));
        case UNAVAILABLE, CANCELLED -> new Unknown(e.reason());
        default -> new Errored(e.rpcError());
      };
    }
  }

  private static String output(ExecSyncResponse ended) {
    return (ended.getStdout().toStringUtf8() + ended.getStderr().toStringUtf8()).strip();
  }
}
