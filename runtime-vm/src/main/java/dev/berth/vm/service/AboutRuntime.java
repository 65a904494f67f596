package dev.berth.vm.service;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import dev.berth.cri.v1.CgroupDriver;
import dev.berth.cri.v1.LinuxRuntimeConfiguration;
import dev.berth.cri.v1.RuntimeCondition;
import dev.berth.cri.v1.RuntimeConfigRequest;
import dev.berth.cri.v1.RuntimeConfigResponse;
import dev.berth.cri.v1.RuntimeFeatures;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.RuntimeHandlerFeatures;
import dev.berth.cri.v1.RuntimeStatus;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.UpdateRuntimeConfigRequest;
import dev.berth.cri.v1.UpdateRuntimeConfigResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import dev.berth.vm.network.PodNetworks;
import dev.berth.vm.pods.VmHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// `Version`, `Status`, `RuntimeConfig` and `UpdateRuntimeConfig`: what the service says about
/// itself.
final class AboutRuntime {
  static final String NAME = "berth-vm";

  /// The version of the kubelet's runtime API, which has never changed.
  private static final String KUBELET_API = "0.1.0";

  private final RuntimeFacts facts;
  private final PodNetworks networks;

  AboutRuntime(RuntimeFacts facts, PodNetworks networks) {
    this.facts = facts;
    this.networks = networks;
  }

  VersionResponse version(VersionRequest request) {
    return VersionResponse.newBuilder()
        .setVersion(KUBELET_API)
        .setRuntimeName(NAME)
        .setRuntimeVersion(facts.version())
        .setRuntimeApiVersion("v1")
        .build();
  }

  StatusResponse status(StatusRequest request) {
    StatusResponse.Builder response =
        StatusResponse.newBuilder()
            .setStatus(
                RuntimeStatus.newBuilder()
                    .addConditions(condition("RuntimeReady", "HypervisorNotReady", facts.unready()))
                    .addConditions(
                        condition("NetworkReady", "NetworkPluginNotReady", networks.unready())))
            .setFeatures(RuntimeFeatures.newBuilder().setSupplementalGroupsPolicy(true));
    // CRI describes the default handler a second time under the empty name, which is the handler
    // of pods without a RuntimeClass.
    response.addRuntimeHandlers(described(""));
    for (VmHandler handler : VmHandler.values()) {
      response.addRuntimeHandlers(described(handler.handler()));
    }
    if (request.getVerbose()) {
      response.putInfo("config", configuration());
    }
    return response.build();
  }

  private static RuntimeCondition condition(String type, String reason, Optional<Problem> problem) {
    return RuntimeCondition.newBuilder()
        .setType(type)
        .setStatus(problem.isEmpty())
        .setReason(problem.isEmpty() ? "" : reason)
        .setMessage(problem.map(Problem::toString).orElse(""))
        .build();
  }

  /// A mount in a guest has no mounts below it, so read-only is always recursive. The users of a
  /// guest are none of the host, as a user namespace would have it.
  private static RuntimeHandler described(String name) {
    return RuntimeHandler.newBuilder()
        .setName(name)
        .setFeatures(
            RuntimeHandlerFeatures.newBuilder()
                .setRecursiveReadOnlyMounts(true)
                .setUserNamespaces(true))
        .build();
  }

  private String configuration() {
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    facts.hypervisor().forEach(config::put);
    var templates = config.putArray("templates");
    facts.templates().forEach(templates::add);
    // containerd's form, in which clients of older versions look for handlers.
    ObjectNode containerd = config.putObject("containerd");
    containerd.put("defaultRuntimeName", VmHandler.CLONE.handler());
    ObjectNode runtimes = containerd.putObject("runtimes");
    for (VmHandler handler : VmHandler.values()) {
      runtimes.putObject(handler.handler()).put("runtimeType", "dev.berth.vm");
    }
    return config.toString();
  }

  /// Machines are placed into the control group that the kubelet names, in the form of the node's
  /// manager of control groups.
  RuntimeConfigResponse config(RuntimeConfigRequest request) {
    boolean systemd = Files.isDirectory(Path.of("/run/systemd/system"));
    return RuntimeConfigResponse.newBuilder()
        .setLinux(
            LinuxRuntimeConfiguration.newBuilder()
                .setCgroupDriver(systemd ? CgroupDriver.SYSTEMD : CgroupDriver.CGROUPFS))
        .build();
  }

  /// Accepts the address range of the node and ignores it: the configuration of CNI has it.
  UpdateRuntimeConfigResponse update(UpdateRuntimeConfigRequest request) {
    return UpdateRuntimeConfigResponse.getDefaultInstance();
  }
}
