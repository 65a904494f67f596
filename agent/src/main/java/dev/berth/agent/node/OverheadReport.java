package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.overhead.SandboxOverhead;
import dev.berth.api.Quantity;
import java.util.List;

/// The measured overhead of sandboxes in the Node object (docs/runtime-services-contract.md).
record OverheadReport(List<SandboxOverhead> overheads) {
  static final String ANNOTATION = "berth.dev/sandbox-overhead";
  private static final long MEBIBYTE = 1L << 20;

  /// A JSON object by handler; empty when nothing is measured.
  String annotation() {
    ObjectNode handlers = JsonNodeFactory.instance.objectNode();
    for (SandboxOverhead one : overheads) {
      ObjectNode entry = handlers.putObject(one.handler());
      entry.put("pods", one.pods());
      entry.put("memory", mebibytes(one.memoryBytes()));
      entry.put("largestMemory", mebibytes(one.largestBytes()));
      one.milliCores().ifPresent(milli -> entry.put("cpu", Quantity.ofMilli(milli).toString()));
    }
    return handlers.isEmpty() ? "" : handlers.toString();
  }

  private static String mebibytes(long bytes) {
    return Math.ceilDiv(bytes, MEBIBYTE) + "Mi";
  }
}
