package dev.berth.bench.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.PodSandboxConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

/// The agent's requests to the runtime for one pod with one container, to be repeated.
record PodRequests(PodSandboxConfig sandbox, ContainerConfig container) {
  private static final String GROUP = "podfloor-";
  // containerd's status also has fields of its own beside those of the contract.
  private static final JsonFormat.Parser PARSER = JsonFormat.parser().ignoringUnknownFields();

  /// Reads the requests from a running pod: containerd keeps and shows them. The pod must exist as
  /// long as its requests are used, because its files are among the mounts.
  static PodRequests of(RuntimeClient runtime, String pod) {
    var filter =
        ContainerFilter.newBuilder().putLabelSelector("io.kubernetes.pod.name", pod).build();
    var container = runtime.listContainers(filter).getFirst();
    var sandbox = PodSandboxConfig.newBuilder();
    merge(runtime.podSandboxStatus(container.getPodSandboxId(), true).getInfoMap(), sandbox);
    var config = ContainerConfig.newBuilder();
    merge(runtime.containerStatus(container.getId(), true).getInfoMap(), config);
    // A floor with fewer mounts or without a control group would be too fast, and flatter nobody
    // visibly.
    if (config.getMountsCount() == 0 || sandbox.getLinux().getCgroupParent().isEmpty()) {
      throw new IllegalStateException("the runtime shows only a part of its requests");
    }
    return new PodRequests(sandbox.build(), config.clearLabels().build());
  }

  private static void merge(Map<String, String> info, Message.Builder into) {
    try {
      JsonNode config = new ObjectMapper().readTree(info.getOrDefault("info", "{}")).path("config");
      for (JsonNode variable : config.path("envs")) {
        // The contract has bytes, and the JSON has text.
        byte[] value = variable.path("value").asText().getBytes(StandardCharsets.UTF_8);
        ((ObjectNode) variable).put("value", Base64.getEncoder().encodeToString(value));
      }
      PARSER.merge(config.toString(), into);
    } catch (JsonProcessingException | InvalidProtocolBufferException e) {
      throw new IllegalStateException("the runtime shows its requests in an unknown format", e);
    }
  }

  /// The same pod under another name and in a control group of its own, without the labels by which
  /// the agent would take it for its own pod and stop it.
  PodSandboxConfig sandbox(String name) {
    String uid = name + "-" + System.nanoTime();
    var named = sandbox.toBuilder().setHostname(name).clearLabels();
    named.getMetadataBuilder().setName(name).setNamespace("floor").setUid(uid);
    // Beside the group of the model: below the same parent, so that both have the same limits.
    named.getLinuxBuilder().setCgroupParent(groups() + "/" + GROUP + uid);
    return named.build();
  }

  /// The control group in which those of such pods are.
  private String groups() {
    String own = sandbox.getLinux().getCgroupParent();
    return own.substring(0, own.lastIndexOf('/'));
  }

  /// Removes the control groups of ended pods. Runtimes leave that to the one that chose them.
  void removeGroups() throws IOException {
    try (Stream<Path> controllers = Files.list(Path.of("/sys/fs/cgroup"))) {
      // Version 1 of control groups has a hierarchy for each controller. Version 2 has one
      // hierarchy, whose groups are not found here and stay.
      for (Path controller : controllers.toList()) {
        Path place = Path.of(controller + groups());
        if (Files.isDirectory(place)) {
          removeGroups(place);
        }
      }
    }
  }

  private static void removeGroups(Path place) throws IOException {
    try (DirectoryStream<Path> ended = Files.newDirectoryStream(place, GROUP + "*")) {
      for (Path group : ended) {
        Files.delete(group);
      }
    }
  }
}
