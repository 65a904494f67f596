package dev.berth.vm.service;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.VmHandler;
import dev.berth.vm.pods.state.ContainerRecord;
import dev.berth.vm.pods.state.SandboxRecord;

/// The verbose part of statuses, as JSON. The keys that containerd has, too, have its names.
final class VerboseInfo {
  private VerboseInfo() {}

  static String of(LivePod pod) {
    SandboxRecord record = pod.record();
    ObjectNode info = JsonNodeFactory.instance.objectNode();
    info.put(
        "runtimeHandler",
        VmHandler.find(record.handler()).map(VmHandler::handler).orElse(record.handler()));
    info.put("memoryMebibytes", record.size().memoryMebibytes())
        .put("processors", record.size().processors())
        .put("sharesMemory", record.sharesMemory());
    if (!record.failure().isEmpty()) {
      info.put("failure", record.failure());
    }
    pod.guest()
        .ifPresent(
            guest -> {
              VirtualMachine machine = guest.machine();
              info.put("pid", machine.pid());
              machine.exit().ifPresent(exit -> info.put("machine", exit.toString()));
            });
    return info.toString();
  }

  static String of(LiveContainer container) {
    ContainerRecord record = container.record();
    ObjectNode info = JsonNodeFactory.instance.objectNode();
    info.put("sandboxID", record.sandboxId()).put("image", record.image().id());
    record.disks().forEach((slot, image) -> info.withObject("/disks").put("image" + slot, image));
    container
        .output()
        .map(output -> output.position())
        .ifPresent(
            position ->
                info.putObject("output")
                    .put("stdout", position.stdout())
                    .put("stderr", position.stderr()));
    return info.toString();
  }
}
