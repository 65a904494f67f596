package dev.berth.sim.service;

import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TextFormat;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.CheckpointContainerRequest;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.model.MachineInventory;
import dev.berth.sim.time.SimClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The statuses of single sandboxes and containers, with their verbose part.
///
/// The status of a sandbox includes its containers and a time since KEP-3386: an agent that gets
/// events needs both from one moment.
public final class VerboseDetails {
  private final MachineInventory inventory;
  private final ServiceKnobs knobs;
  private final SimClock timeline;

  public VerboseDetails(MachineInventory inventory, ServiceKnobs knobs, SimClock timeline) {
    this.inventory = inventory;
    this.knobs = knobs;
    this.timeline = timeline;
  }

  PodSandboxStatusResponse sandbox(PodSandboxStatusRequest request) {
    MachineInventory.SandboxDetail detail = inventory.sandbox(request.getPodSandboxId());
    PodSandboxStatusResponse.Builder response =
        PodSandboxStatusResponse.newBuilder().setStatus(detail.status());
    if (knobs.profile().compatibility().hasNewFields()) {
      response.addAllContainersStatuses(detail.containers()).setTimestamp(timeline.nanos());
    }
    if (request.getVerbose()) {
      response.putInfo("info", detail.info());
    }
    return response.build();
  }

  ContainerStatusResponse container(ContainerStatusRequest request) {
    MachineInventory.ContainerDetail detail = inventory.container(request.getContainerId());
    ContainerStatusResponse.Builder response =
        ContainerStatusResponse.newBuilder().setStatus(detail.status());
    if (request.getVerbose()) {
      response.putInfo("info", detail.info());
    }
    return response.build();
  }

  /// Writes the container's status into the file: there is no process to freeze.
  void checkpoint(CheckpointContainerRequest request) {
    MachineInventory.ContainerDetail detail = inventory.container(request.getContainerId());
    try {
      Files.writeString(Path.of(request.getLocation()), text(detail.status()));
    } catch (IOException e) {
      throw CallRefusal.unknown(
          "failed to checkpoint container \"%s\": %s".formatted(detail.status().getId(), e));
    }
  }

  private static String text(MessageOrBuilder message) {
    return TextFormat.printer().printToString(message);
  }
}
