package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.Memory;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.cri.CriException;
import java.io.IOException;
import java.nio.file.Files;

/// Runs sandboxes, stops and removes them.
public final class SandboxActions {
  private final NodeSettings node;
  private final SandboxConfigs configs;
  private final PodVolumes volumes;
  private final PodGroup group;
  private final PodEvents events;
  private final Turns turns;

  public SandboxActions(
      NodeSettings node,
      SandboxConfigs configs,
      PodVolumes volumes,
      PodGroup group,
      PodEvents events,
      Turns turns) {
    this.node = node;
    this.configs = configs;
    this.volumes = volumes;
    this.group = group;
    this.events = events;
    this.turns = turns;
  }

  Outcome run(PodScene scene, int attempt) throws InterruptedException {
    try {
      // First of all: whoever clears up looks for folders to know which pods left something.
      Files.createDirectories(node.podFolder(scene.uid()));
      LogPaths.make(node, scene.pod());
      volumes.prepare(scene.pod());
    } catch (VolumeException e) {
      return failed(scene, "FailedMount", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return failed(scene, "FailedCreatePodSandBox", "its folders cannot be made: " + e);
    }
    try {
      group.set(scene.pod());
    } catch (IOException e) {
      return failed(
          scene, "FailedCreatePodContainer", "unable to ensure pod container exists: " + e);
    }
    if (attempt > 0) {
      events.normal(
          scene.pod(),
          "",
          "SandboxChanged",
          "Pod sandbox changed, it will be killed and re-created.");
    }
    configs
        .dnsWarnings(scene.pod())
        .forEach(text -> events.warning(scene.pod(), "", "DNSConfigForming", text));
    try {
      SandboxDemands.check(scene);
      String id =
          turns.take(
              scene.service().name(),
              Turns.Stage.SANDBOX,
              () ->
                  scene.runtime().runPodSandbox(configs.of(scene.pod(), attempt), scene.handler()));
      scene
          .observer()
          .view()
          .put(
              scene.uid(),
              ObservedSandbox.of(scene.runtime().podSandboxStatus(id, false).getStatus()));
      return new Outcome.Done();
    } catch (CriException e) {
      if (e.isUnanswered()) {
        throw e;
      }
      return notCreated(scene, e.rpcError());
    } catch (ConfigException e) {
      return notCreated(scene, String.valueOf(e.getMessage()));
    }
  }

  private Outcome notCreated(PodScene scene, String why) {
    return failed(scene, "FailedCreatePodSandBox", "Failed to create pod sandbox: " + why);
  }

  private Outcome failed(PodScene scene, String reason, String message) {
    events.warning(scene.pod(), "", reason, message);
    return new Outcome.Failed(Memory.SANDBOX, reason, message, false);
  }

  /// Once its containers have what they are to have.
  Outcome resize(PodScene scene) {
    try {
      group.set(scene.pod());
      return new Outcome.Done();
    } catch (IOException e) {
      return new Outcome.Failed(Memory.SANDBOX, "ResizePodError", e.toString(), false);
    }
  }

  Outcome stop(PodScene scene, String id) {
    tellingFailure(scene, () -> scene.runtime().stopPodSandbox(id));
    try {
      scene
          .observer()
          .view()
          .put(
              scene.uid(),
              ObservedSandbox.of(scene.runtime().podSandboxStatus(id, false).getStatus()));
    } catch (CriException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      scene.observer().view().sandboxGone(scene.uid(), id);
    }
    if (scene.observed().runsAnything()) {
      // What ran in it has ended, too: the details come with the next list.
      scene.observer().doubt(scene.uid());
    }
    return new Outcome.Done();
  }

  Outcome remove(PodScene scene, String id) {
    tellingFailure(scene, () -> scene.runtime().removePodSandbox(id));
    scene.observer().view().sandboxGone(scene.uid(), id);
    return new Outcome.Done();
  }

  /// Otherwise nobody would know why a pod that was deleted does not go.
  private void tellingFailure(PodScene scene, Runnable end) {
    try {
      end.run();
    } catch (CriException e) {
      if (!e.isUnanswered()) {
        events.warning(
            scene.pod(),
            "",
            "FailedKillPod",
            "error killing pod: failed to \"KillPodSandbox\" for \"%s\" with KillPodSandboxError: \"%s\""
                .formatted(scene.uid(), e.rpcError()));
      }
      throw e;
    }
  }
}
