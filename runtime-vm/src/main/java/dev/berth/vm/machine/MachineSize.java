package dev.berth.vm.machine;

/// The memory and processors of a guest. Each size has a template of its own.
public record MachineSize(int memoryMebibytes, int processors) {
  @Override
  public String toString() {
    return memoryMebibytes + "Mi-" + processors;
  }
}
