package dev.berth.sim.service;

import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TextFormat;
import dev.berth.cri.v1.CheckpointContainerRequest;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.sim.call.Refusal;
import dev.berth.sim.knobs.Knobs;
import dev.berth.sim.model.Inventory;
import dev.berth.sim.time.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// One sandbox or container with everything that is known about it.
public final class Details {
  private final Inventory inventory;
  private final Knobs knobs;
  private final Timeline timeline;

  public Details(Inventory inventory, Knobs knobs, Timeline timeline) {
    this.inventory = inventory;
    this.knobs = knobs;
    this.timeline = timeline;
  }

  PodSandboxStatusResponse sandbox(PodSandboxStatusRequest request) {
    Inventory.SandboxDetail detail = inventory.sandbox(request.getPodSandboxId());
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
    Inventory.ContainerDetail detail = inventory.container(request.getContainerId());
    ContainerStatusResponse.Builder response =
        ContainerStatusResponse.newBuilder().setStatus(detail.status());
    if (request.getVerbose()) {
      response.putInfo("info", detail.info());
    }
    return response.build();
  }

  /// There is no process to freeze: the file holds the container's status.
  void checkpoint(CheckpointContainerRequest request) {
    Inventory.ContainerDetail detail = inventory.container(request.getContainerId());
    try {
      Files.writeString(Path.of(request.getLocation()), text(detail.status()));
    } catch (IOException e) {
      throw Refusal.unknown(
          "failed to checkpoint container \"%s\": %s".formatted(detail.status().getId(), e));
    }
  }

  private static String text(MessageOrBuilder message) {
    return TextFormat.printer().printToString(message);
  }
}
