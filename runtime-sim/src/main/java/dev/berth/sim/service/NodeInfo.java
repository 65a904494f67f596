package dev.berth.sim.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cri.v1.CgroupDriver;
import dev.berth.cri.v1.LinuxRuntimeConfiguration;
import dev.berth.cri.v1.RuntimeCondition;
import dev.berth.cri.v1.RuntimeConfigResponse;
import dev.berth.cri.v1.RuntimeFeatures;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.RuntimeHandlerFeatures;
import dev.berth.cri.v1.RuntimeStatus;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.VersionResponse;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.knobs.SimCondition;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.Comparator;

/// The runtime's answers about itself: version, conditions, handlers.
public final class NodeInfo {
  /// The version of the kubelet's runtime API, which has never changed.
  private static final String KUBELET_API = "0.1.0";

  private final ServiceKnobs knobs;
  private final ObjectMapper json = new ObjectMapper();

  public NodeInfo(ServiceKnobs knobs) {
    this.knobs = knobs;
  }

  VersionResponse version() {
    SimProfile profile = knobs.profile();
    return VersionResponse.newBuilder()
        .setVersion(KUBELET_API)
        .setRuntimeName(profile.runtimeName())
        .setRuntimeVersion(profile.runtimeVersion())
        .setRuntimeApiVersion(ApiVersion.ofCall())
        .build();
  }

  /// The runtime's conditions, handlers and features. All of it comes from the knobs, so that a
  /// test can make a runtime unready or change its handlers while it serves.
  StatusResponse status(boolean verbose) {
    SimProfile profile = knobs.profile();
    StatusResponse.Builder response =
        StatusResponse.newBuilder()
            .setStatus(
                RuntimeStatus.newBuilder()
                    .addConditions(condition("RuntimeReady", knobs.runtime()))
                    .addConditions(condition("NetworkReady", knobs.network())));
    // The list of handlers came with Kubernetes 1.30 (KEP-3857), the features with 1.31.
    if (profile.compatibility().hasNewFields()) {
      // CRI describes the default handler a second time under the empty name, which is the handler
      // of pods without a RuntimeClass.
      response.addRuntimeHandlers(described("", profile.defaultHandler()));
      profile.handlers().stream()
          .sorted(Comparator.comparing(SimHandler::name))
          .forEach(handler -> response.addRuntimeHandlers(described(handler.name(), handler)));
      response.setFeatures(
          RuntimeFeatures.newBuilder()
              .setSupplementalGroupsPolicy(!profile.platform().isWindows()));
    }
    if (verbose) {
      response.putInfo("config", configuration(profile));
    }
    return response.build();
  }

  RuntimeConfigResponse config() {
    RuntimeConfigResponse.Builder response = RuntimeConfigResponse.newBuilder();
    if (!knobs.profile().platform().isWindows()) {
      response.setLinux(
          LinuxRuntimeConfiguration.newBuilder().setCgroupDriver(CgroupDriver.CGROUPFS));
    }
    return response.build();
  }

  /// A configuration in containerd's format. containerd 1.6 lists its handlers nowhere else, so
  /// clients look there when `Status` does not list them.
  private String configuration(SimProfile profile) {
    ObjectNode config = json.createObjectNode();
    ObjectNode containerd = config.putObject("containerd");
    containerd.put("defaultRuntimeName", profile.defaultHandler().name());
    ObjectNode runtimes = containerd.putObject("runtimes");
    for (SimHandler handler : profile.handlers()) {
      ObjectNode runtime = runtimes.putObject(handler.name());
      runtime.put("runtimeType", handler.type());
      ObjectNode options = runtime.putObject("options");
      handler.options().forEach((key, value) -> option(options, key, value));
    }
    config.put("platform", profile.platform().text());
    config.put("osVersion", profile.platform().osVersion());
    return config.toString();
  }

  private static void option(ObjectNode options, String key, String value) {
    if (key.equals(SimHandler.ISOLATION)) {
      // The shim's option is a number; everything else is a text.
      options.put(key, value.equals("1") ? 1 : 0);
    } else {
      options.put(key, value);
    }
  }

  private static RuntimeCondition condition(String type, SimCondition condition) {
    return RuntimeCondition.newBuilder()
        .setType(type)
        .setStatus(condition.ready())
        .setReason(condition.reason())
        .setMessage(condition.message())
        .build();
  }

  private static RuntimeHandler described(String name, SimHandler handler) {
    return RuntimeHandler.newBuilder()
        .setName(name)
        .setFeatures(
            RuntimeHandlerFeatures.newBuilder()
                .setRecursiveReadOnlyMounts(handler.recursiveReadOnlyMounts())
                .setUserNamespaces(handler.userNamespaces()))
        .build();
  }
}
