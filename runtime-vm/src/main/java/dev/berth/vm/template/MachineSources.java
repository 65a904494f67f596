package dev.berth.vm.template;

import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.MachineSource;

/// What the machines of pods start from.
public interface MachineSources {
  /// Returns the template of a size, or what a machine boots from if it must not share memory. The
  /// first caller makes what is missing, which takes seconds; callers of the same size wait for it.
  MachineSource source(MachineSize size, boolean shareMemory);
}
