package dev.berth.sim.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TextFormat;

/// The verbose part of a status, as JSON for debugging. The kubelet does not read it; its form is
/// not containerd's.
final class VerboseInfo {
  private static final ObjectMapper JSON = new ObjectMapper();

  private VerboseInfo() {}

  static String of(SimSandbox sandbox) {
    ObjectNode info = JSON.createObjectNode();
    info.put("runtimeHandler", sandbox.handler);
    info.put("containers", sandbox.containers.size());
    info.put("overhead", text(sandbox.overhead));
    info.put("resources", text(sandbox.resources));
    info.put("config", text(sandbox.config));
    return info.toString();
  }

  static String of(SimContainer container) {
    ObjectNode info = JSON.createObjectNode();
    info.put("sandboxID", container.sandbox.id);
    info.put("runtimeHandler", container.sandbox.handler);
    info.put("command", String.join(" ", container.command()));
    info.put("platform", container.image.platform().toString());
    info.put("config", text(container.config));
    return info.toString();
  }

  private static String text(MessageOrBuilder message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message);
  }
}
