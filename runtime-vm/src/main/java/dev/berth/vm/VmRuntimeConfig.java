package dev.berth.vm;

import dev.berth.registry.RegistrySettings;
import dev.berth.vm.machine.MachineSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What an administrator decides about the runtime of virtual machines.
///
/// @param version of Berth, for clients
/// @param socket where CRI is served
/// @param directory for images, templates and the disks of machines; on one file system
/// @param state for what is known of pods and their networks
/// @param kernelRoots directories with `boot` and `lib/modules`; the first with a kernel counts
/// @param qemu such as `/usr/bin/qemu-system-x86_64`
/// @param cniConfigurations such as `/etc/cni/net.d`
/// @param cniPlugins directories, searched in this order
/// @param pinnedImages references of images that garbage collection leaves alone
/// @param defaultSize of the guest of a pod without limits
/// @param firstUser the first of `users` user ids that nothing else on this host has
/// @param scratchBytes the most that the containers of a pod can write on its disk
public record VmRuntimeConfig(
    String version,
    Path socket,
    Path directory,
    Path state,
    List<Path> kernelRoots,
    Path qemu,
    Path cniConfigurations,
    List<Path> cniPlugins,
    RegistrySettings registry,
    Set<String> pinnedImages,
    MachineSize defaultSize,
    int firstUser,
    int users,
    long scratchBytes) {
  private static final Path USUAL_DIRECTORY = Path.of("/var/lib/berth/vm");
  private static final int USUAL_FIRST_USER = 1_879_048_192;
  private static final int USUAL_USERS = 4096;
  private static final long USUAL_SCRATCH = 10L << 30;

  public VmRuntimeConfig {
    kernelRoots = List.copyOf(kernelRoots);
    cniPlugins = List.copyOf(cniPlugins);
    pinnedImages = Set.copyOf(pinnedImages);
  }

  /// The usual places of a Debian host.
  public static VmRuntimeConfig usual(String version) {
    return new VmRuntimeConfig(
        version,
        Path.of("/run/berth/vm.sock"),
        USUAL_DIRECTORY,
        USUAL_DIRECTORY.resolve("state"),
        List.of(USUAL_DIRECTORY.resolve("guest"), Path.of("/")),
        Path.of("/usr/bin/qemu-system-x86_64"),
        Path.of("/etc/cni/net.d"),
        List.of(Path.of("/opt/cni/bin"), Path.of("/usr/lib/cni")),
        RegistrySettings.USUAL,
        Set.of(),
        new MachineSize(128, 1),
        USUAL_FIRST_USER,
        USUAL_USERS,
        USUAL_SCRATCH);
  }

  /// The same with other places, such as those of a test.
  public VmRuntimeConfig at(Path otherSocket, Path otherDirectory) {
    return new VmRuntimeConfig(
        version,
        otherSocket,
        otherDirectory,
        otherDirectory.resolve("state"),
        kernelRoots,
        qemu,
        cniConfigurations,
        cniPlugins,
        registry,
        pinnedImages,
        defaultSize,
        firstUser,
        users,
        scratchBytes);
  }

  public VmRuntimeConfig withKernels(List<Path> roots) {
    return new VmRuntimeConfig(
        version,
        socket,
        directory,
        state,
        roots,
        qemu,
        cniConfigurations,
        cniPlugins,
        registry,
        pinnedImages,
        defaultSize,
        firstUser,
        users,
        scratchBytes);
  }

  public VmRuntimeConfig withNetwork(Path configurations, List<Path> plugins) {
    return new VmRuntimeConfig(
        version,
        socket,
        directory,
        state,
        kernelRoots,
        qemu,
        configurations,
        plugins,
        registry,
        pinnedImages,
        defaultSize,
        firstUser,
        users,
        scratchBytes);
  }

  public VmRuntimeConfig withRegistry(RegistrySettings settings) {
    return new VmRuntimeConfig(
        version,
        socket,
        directory,
        state,
        kernelRoots,
        qemu,
        cniConfigurations,
        cniPlugins,
        settings,
        pinnedImages,
        defaultSize,
        firstUser,
        users,
        scratchBytes);
  }
}
