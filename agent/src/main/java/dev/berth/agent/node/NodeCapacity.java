package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.machine.MachineFacts.Size;
import dev.berth.api.Quantity;

/// What a node has, and what of it pods may have.
record NodeCapacity(Size size, NodeOptions options) {
  /// Kept free as the kubelet does by default: below it pods would be evicted.
  private static final long MEMORY_KEPT = 100L << 20;

  private static final double STORAGE_KEPT = 0.1;

  /// Sets `capacity` and `allocatable`; resources that others added stay.
  void writeTo(ObjectNode status) {
    ObjectNode capacity = status.withObject("/capacity");
    capacity.put("cpu", Long.toString(size.cpus()));
    capacity.put("memory", kibi(size.memory()));
    capacity.put("ephemeral-storage", kibi(size.storage()));
    capacity.put("pods", Integer.toString(options.maxPods()));
    ObjectNode allocatable = status.withObject("/allocatable");
    long milli = size.cpus() * 1000 - reserved("cpu").milli();
    allocatable.put("cpu", Quantity.ofMilli(Math.max(0, milli)).toString());
    allocatable.put("memory", kibi(size.memory() - reserved("memory").value() - MEMORY_KEPT));
    long storage = size.storage() - (long) (STORAGE_KEPT * size.storage());
    allocatable.put(
        "ephemeral-storage", Long.toString(storage - reserved("ephemeral-storage").value()));
    allocatable.put("pods", Integer.toString(options.maxPods()));
    size.hugePages()
        .forEach(
            (name, bytes) -> {
              capacity.put(name, mebi(bytes));
              allocatable.put(name, mebi(bytes));
            });
  }

  private Quantity reserved(String resource) {
    return options.reserved().getOrDefault(resource, Quantity.ofMilli(0));
  }

  private static String kibi(long bytes) {
    return (Math.max(0, bytes) >> 10) + "Ki";
  }

  private static String mebi(long bytes) {
    return bytes == 0 ? "0" : (bytes >> 20) + "Mi";
  }
}
