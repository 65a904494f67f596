package dev.berth.launch.runtimes;

import java.nio.file.Path;
import java.util.List;

/// The choice about virtual machines on the command line of `berth up`.
///
/// @param wanted whether a VM runtime is started where the machine can have one
/// @param kernels directories with a kernel for guests, before the usual ones
public record VmChoice(boolean wanted, List<Path> kernels) {
  public static final VmChoice NONE = new VmChoice(false, List.of());

  public VmChoice {
    kernels = List.copyOf(kernels);
  }
}
