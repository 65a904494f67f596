package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.api.Quantity;

/// The capacity and the allocatable resources of a node.
record NodeCapacity(Size size, NodeOptions options) {
  /// Sets `capacity` and `allocatable`; resources of others stay.
  void writeTo(ObjectNode status) {
    ObjectNode capacity = status.withObject("/capacity");
    capacity.put("cpu", Long.toString(size.cpus()));
    capacity.put("memory", kibi(size.memory()));
    capacity.put("ephemeral-storage", kibi(size.storage()));
    capacity.put("pods", Integer.toString(options.maxPods()));
    ObjectNode allocatable = status.withObject("/allocatable");
    allocatable.put("cpu", Quantity.ofMilli(milliForPods()).toString());
    allocatable.put("memory", kibi(memoryForPods()));
    allocatable.put("ephemeral-storage", Long.toString(storageForPods()));
    allocatable.put("pods", Integer.toString(options.maxPods()));
    size.hugePages()
        .forEach(
            (name, bytes) -> {
              capacity.put(name, pages(bytes));
              allocatable.put(name, pages(bytes));
            });
  }

  long milliForPods() {
    return Math.max(0, size.cpus() * 1000 - reserved("cpu").milli());
  }

  /// The allocatable memory. The hard eviction threshold is subtracted, since pods would be evicted
  /// below it. Huge pages are subtracted, too: that memory has no other use.
  long memoryForPods() {
    long hugePages = size.hugePages().values().stream().mapToLong(Long::longValue).sum();
    return Math.max(
        0,
        size.memory()
            - hugePages
            - reserved("memory").value()
            - options.pressure().kept(EvictionSignal.MEMORY, size.memory()));
  }

  long storageForPods() {
    return Math.max(
        0,
        size.storage()
            - reserved("ephemeral-storage").value()
            - options.pressure().kept(EvictionSignal.NODE_DISK, size.storage()));
  }

  private Quantity reserved(String resource) {
    return options.reserved().getOrDefault(resource, Quantity.ofMilli(0));
  }

  private static String kibi(long bytes) {
    return (Math.max(0, bytes) >> 10) + "Ki";
  }

  private static String pages(long bytes) {
    if (bytes == 0) {
      return "0";
    }
    return bytes % (1 << 20) == 0 ? (bytes >> 20) + "Mi" : kibi(bytes);
  }
}
