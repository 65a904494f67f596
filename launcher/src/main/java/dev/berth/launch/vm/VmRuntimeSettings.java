package dev.berth.launch.vm;

import dev.berth.registry.RegistrySettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What the command line of `berth vm-runtime` decides, already checked.
///
/// @param socket on which the service listens
/// @param dataDir of this process alone
/// @param kernels directories with `boot` and `lib/modules`; the first with a kernel counts
/// @param memoryMebibytes of the guest of a pod without a memory limit
/// @param processors of the guest of a pod without a CPU limit
/// @param networks the directory of CNI configurations
/// @param plugins directories of CNI plugins
/// @param archives images that are loaded at the start
/// @param pinnedImages references of images that garbage collection leaves alone
public record VmRuntimeSettings(
    Path socket,
    Path dataDir,
    List<Path> kernels,
    int memoryMebibytes,
    int processors,
    Path networks,
    List<Path> plugins,
    List<Path> archives,
    Set<String> pinnedImages,
    RegistrySettings registries) {
  public VmRuntimeSettings {
    kernels = List.copyOf(kernels);
    plugins = List.copyOf(plugins);
    archives = List.copyOf(archives);
    pinnedImages = Set.copyOf(pinnedImages);
  }
}
