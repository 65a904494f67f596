package dev.berth.agent.pods.act;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.cri.CriException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs, stops and removes sandboxes.
public final class SandboxActions {
  private static final Logger log = LoggerFactory.getLogger(SandboxActions.class);

  private final NodeSettings node;
  private final SandboxConfigs configs;
  private final PodVolumes volumes;
  private final PodCgroup group;
  private final PodEvents events;
  private final RuntimeStartLimiter startLimiter;

  public SandboxActions(
      NodeSettings node,
      SandboxConfigs configs,
      PodVolumes volumes,
      PodCgroup group,
      PodEvents events,
      RuntimeStartLimiter startLimiter) {
    this.node = node;
    this.configs = configs;
    this.volumes = volumes;
    this.group = group;
    this.events = events;
    this.startLimiter = startLimiter;
  }

  StepOutcome run(StepContext stepContext, int attempt) throws InterruptedException {
    try {
      // The directory comes first: cleanup finds pods that left something by their directories.
      Files.createDirectories(node.podDirectory(stepContext.uid()));
      LogPaths.make(node, stepContext.pod());
      volumes.prepare(stepContext.pod());
    } catch (VolumeException e) {
      return failed(stepContext, "FailedMount", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return failed(stepContext, "FailedCreatePodSandBox", "cannot create its directories: " + e);
    }
    try {
      group.set(stepContext.pod());
    } catch (IOException e) {
      return failed(
          stepContext, "FailedCreatePodContainer", "unable to ensure pod container exists: " + e);
    }
    if (attempt > 0) {
      events.normal(
          stepContext.pod(),
          "",
          "SandboxChanged",
          "Pod sandbox changed, it will be killed and re-created.");
    }
    configs
        .dnsWarnings(stepContext.pod())
        .forEach(text -> events.warning(stepContext.pod(), "", "DNSConfigForming", text));
    try {
      SandboxRequirements.check(stepContext);
      String id =
          startLimiter.take(
              stepContext.service().name(),
              RuntimeStartLimiter.Stage.SANDBOX,
              () ->
                  stepContext
                      .runtime()
                      .runPodSandbox(
                          configs.of(stepContext.pod(), attempt), stepContext.handler()));
      stepContext
          .observer()
          .view()
          .put(
              stepContext.uid(),
              ObservedSandbox.of(stepContext.runtime().podSandboxStatus(id, false).getStatus()));
      return new StepOutcome.Done();
    } catch (CriException e) {
      if (e.isUnanswered()) {
        throw e;
      }
      return notCreated(stepContext, e.rpcError());
    } catch (ConfigException e) {
      return notCreated(stepContext, String.valueOf(e.getMessage()));
    }
  }

  private StepOutcome notCreated(StepContext stepContext, String why) {
    return failed(stepContext, "FailedCreatePodSandBox", "Failed to create pod sandbox: " + why);
  }

  private StepOutcome failed(StepContext stepContext, String reason, String message) {
    events.warning(stepContext.pod(), "", reason, message);
    return new StepOutcome.Failed(PodPart.SANDBOX, reason, message);
  }

  /// Resizes the pod's control group after its containers were resized.
  StepOutcome resize(StepContext stepContext) {
    try {
      group.set(stepContext.pod());
      return new StepOutcome.Done();
    } catch (IOException e) {
      return new StepOutcome.Failed(PodPart.SANDBOX, "ResizePodError", e.toString());
    }
  }

  StepOutcome stop(StepContext stepContext, String id) {
    reportingFailure(stepContext, () -> stepContext.runtime().stopPodSandbox(id));
    try {
      stepContext
          .observer()
          .view()
          .put(
              stepContext.uid(),
              ObservedSandbox.of(stepContext.runtime().podSandboxStatus(id, false).getStatus()));
    } catch (CriException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      stepContext.observer().view().sandboxGone(stepContext.uid(), id);
    }
    if (stepContext.observed().runsAnything()) {
      // The containers in the sandbox have ended, too. Their exit codes come with the next list.
      stepContext.observer().doubt(stepContext.uid());
    }
    return new StepOutcome.Done();
  }

  StepOutcome remove(StepContext stepContext, String id) {
    try {
      reportingFailure(stepContext, () -> stepContext.runtime().removePodSandbox(id));
    } catch (CriException e) {
      endLostProcesses(stepContext, e);
      throw e;
    }
    stepContext.observer().view().sandboxGone(stepContext.uid(), id);
    return new StepOutcome.Done();
  }

  /// A start that was cut off can leave a process that containerd shows as exited: it neither kills
  /// the process nor removes its container while the process lives. Everything of a deleted pod is
  /// stopped before its sandbox is removed, so whatever is left in its control group may be killed;
  /// the next attempt removes the sandbox.
  private void endLostProcesses(StepContext stepContext, CriException refusal) {
    if (refusal.isUnanswered() || stepContext.pod().getMetadata().getDeletionTimestamp() == null) {
      return;
    }
    try {
      Set<Long> killed = group.kill(stepContext.uid());
      if (!killed.isEmpty()) {
        log.warn(
            "processes of a deleted pod were left, killed pod={} processes={} reason={}",
            stepContext.pod().getMetadata().getName(),
            killed,
            refusal.getMessage());
      }
    } catch (IOException e) {
      log.warn(
          "processes of a deleted pod cannot be found pod={} reason={}",
          stepContext.pod().getMetadata().getName(),
          e.getMessage());
    }
  }

  /// Reports a failure as an event: otherwise users cannot see why a deleted pod stays.
  private void reportingFailure(StepContext stepContext, Runnable end) {
    try {
      end.run();
    } catch (CriException e) {
      if (!e.isUnanswered()) {
        events.warning(
            stepContext.pod(),
            "",
            "FailedKillPod",
            "error killing pod: failed to \"KillPodSandbox\" for \"%s\" with KillPodSandboxError: \"%s\""
                .formatted(stepContext.uid(), e.rpcError()));
      }
      throw e;
    }
  }
}
