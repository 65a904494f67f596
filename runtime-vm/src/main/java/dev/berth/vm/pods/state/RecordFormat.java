package dev.berth.vm.pods.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.vm.machine.MachineSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Records as JSON. Messages of CRI are kept as they came, in their binary form, so that fields
/// that this version does not know survive.
final class RecordFormat {
  /// Changes when an older program could not read a file.
  private static final int VERSION = 1;

  private static final JsonMapper MAPPER = new JsonMapper();

  private RecordFormat() {}

  static byte[] bytes(SandboxRecord sandbox) throws IOException {
    ObjectNode tree = MAPPER.createObjectNode();
    tree.put("version", VERSION)
        .put("id", sandbox.id())
        .put("config", sandbox.config().toByteArray())
        .put("handler", sandbox.handler())
        .put("sharesMemory", sandbox.sharesMemory())
        .put("memoryMebibytes", sandbox.size().memoryMebibytes())
        .put("processors", sandbox.size().processors())
        .put("phase", sandbox.phase().name())
        .put("createdAt", sandbox.createdAt())
        .put("failure", sandbox.failure());
    var addresses = tree.putArray("addresses");
    sandbox.addresses().forEach(addresses::add);
    return MAPPER.writeValueAsBytes(tree);
  }

  static SandboxRecord sandbox(byte[] bytes) throws IOException {
    JsonNode tree = read(bytes);
    List<String> addresses = new ArrayList<>();
    tree.path("addresses").forEach(address -> addresses.add(address.asText()));
    return new SandboxRecord(
        text(tree, "id"),
        PodSandboxConfig.parseFrom(tree.path("config").binaryValue()),
        text(tree, "handler"),
        tree.path("sharesMemory").asBoolean(),
        new MachineSize(tree.path("memoryMebibytes").asInt(), tree.path("processors").asInt()),
        SandboxPhase.valueOf(text(tree, "phase")),
        tree.path("createdAt").asLong(),
        addresses,
        text(tree, "failure"));
  }

  static byte[] bytes(ContainerRecord container) throws IOException {
    ObjectNode tree = MAPPER.createObjectNode();
    tree.put("version", VERSION)
        .put("id", container.id())
        .put("sandbox", container.sandboxId())
        .put("config", container.config().toByteArray())
        .put("rootSlot", container.rootSlot())
        .put("messageFile", container.messageFile())
        .put("logFile", container.logFile())
        .put("resources", container.resources().toByteArray())
        .put("phase", container.phase().name())
        .put("createdAt", container.createdAt())
        .put("startedAt", container.startedAt());
    tree.putObject("image")
        .put("id", container.image().id())
        .put("name", container.image().name())
        .put("reference", container.image().reference());
    tree.putObject("end")
        .put("finishedAt", container.end().finishedAt())
        .put("exitCode", container.end().exitCode())
        .put("reason", container.end().reason())
        .put("message", container.end().message());
    ObjectNode disks = tree.putObject("disks");
    container.disks().forEach((slot, image) -> disks.put(Integer.toString(slot), image));
    var trees = tree.putArray("trees");
    container
        .trees()
        .forEach(
            one ->
                trees
                    .addObject()
                    .put("name", one.name())
                    .put("source", one.source())
                    .put("followed", one.followed()));
    return MAPPER.writeValueAsBytes(tree);
  }

  static ContainerRecord container(byte[] bytes) throws IOException {
    JsonNode tree = read(bytes);
    JsonNode image = tree.path("image");
    JsonNode end = tree.path("end");
    return new ContainerRecord(
        text(tree, "id"),
        text(tree, "sandbox"),
        ContainerConfig.parseFrom(tree.path("config").binaryValue()),
        new ContainerImage(text(image, "id"), text(image, "name"), text(image, "reference")),
        disks(tree.path("disks")),
        tree.path("rootSlot").asInt(),
        trees(tree.path("trees")),
        text(tree, "messageFile"),
        text(tree, "logFile"),
        ContainerResources.parseFrom(tree.path("resources").binaryValue()),
        ContainerPhase.valueOf(text(tree, "phase")),
        tree.path("createdAt").asLong(),
        tree.path("startedAt").asLong(),
        new ContainerEnd(
            end.path("finishedAt").asLong(),
            end.path("exitCode").asInt(),
            text(end, "reason"),
            text(end, "message")));
  }

  private static SortedMap<Integer, String> disks(JsonNode tree) {
    SortedMap<Integer, String> disks = new TreeMap<>();
    tree.properties()
        .forEach(disk -> disks.put(Integer.parseInt(disk.getKey()), disk.getValue().asText()));
    return disks;
  }

  private static List<DeliveredTree> trees(JsonNode list) throws IOException {
    List<DeliveredTree> trees = new ArrayList<>();
    for (JsonNode one : list) {
      trees.add(
          new DeliveredTree(
              text(one, "name"), text(one, "source"), one.path("followed").asBoolean()));
    }
    return trees;
  }

  private static JsonNode read(byte[] bytes) throws IOException {
    JsonNode tree = MAPPER.readTree(bytes);
    if (tree.path("version").asInt() != VERSION) {
      throw new IOException("not a state file of version " + VERSION);
    }
    return tree;
  }

  private static String text(JsonNode tree, String field) throws IOException {
    JsonNode value = tree.get(field);
    if (value == null || !value.isTextual()) {
      throw new IOException("the state file has no " + field);
    }
    return value.asText();
  }
}
