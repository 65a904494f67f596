package dev.berth.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.PodSandboxConfig;
import java.util.Map;

/// What the agent asked of the runtime for one pod with one container, to be asked again.
record PodRequests(PodSandboxConfig sandbox, ContainerConfig container) {
  private static final JsonFormat.Parser PARSER = JsonFormat.parser().ignoringUnknownFields();

  /// Reads them from a running pod: containerd keeps both and shows them on request. The pod has to
  /// stay as long as its requests are used, because its files are among the mounts.
  static PodRequests of(RuntimeClient runtime, String pod) {
    var filter =
        ContainerFilter.newBuilder().putLabelSelector("io.kubernetes.pod.name", pod).build();
    var container = runtime.listContainers(filter).getFirst();
    var sandbox = PodSandboxConfig.newBuilder();
    merge(runtime.podSandboxStatus(container.getPodSandboxId(), true).getInfoMap(), sandbox);
    var config = ContainerConfig.newBuilder();
    merge(runtime.containerStatus(container.getId(), true).getInfoMap(), config);
    if (config.getMountsCount() == 0 || sandbox.getLinux().getCgroupParent().isEmpty()) {
      throw new IllegalStateException("the runtime shows only a part of what it was asked");
    }
    return new PodRequests(sandbox.build(), config.clearLabels().build());
  }

  private static void merge(Map<String, String> info, Message.Builder into) {
    try {
      JsonNode config = new ObjectMapper().readTree(info.getOrDefault("info", "{}")).path("config");
      PARSER.merge(config.toString(), into);
    } catch (JsonProcessingException | InvalidProtocolBufferException e) {
      throw new IllegalStateException("the runtime shows its requests in another way", e);
    }
  }

  /// The same pod under another name, and without the labels by which the agent would take it for
  /// one of its own and end it.
  PodSandboxConfig sandbox(String name) {
    var named = sandbox.toBuilder().setHostname(name).clearLabels();
    named
        .getMetadataBuilder()
        .setName(name)
        .setNamespace("floor")
        .setUid(name + "-" + System.nanoTime());
    return named.build();
  }
}
