package dev.berth.launch.vm;

import dev.berth.api.PrivateFiles;
import dev.berth.launch.containerd.images.LocalImages;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import dev.berth.launch.process.ProcessSupervisor;
import dev.berth.registry.configuration.RegistryAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The VM runtime that `berth up` starts for its node. Its process and the machines keep running
/// when the process that started them exits, as a private containerd does.
public final class PrivateVmRuntime {
  /// The first back-off between restarts.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// Time that a running process has to answer, and time that a started one has. The first start
  /// probes the accelerators.
  private static final Duration ANSWERS_IN = Duration.ofSeconds(2);

  private static final Duration STARTS_IN = Duration.ofSeconds(30);

  /// How the VM runtime of a node is set up.
  ///
  /// @param kernels directories with `boot` and `lib/modules`, before the usual ones
  /// @param networks the directory of CNI configurations that the containers of the node use
  /// @param plugins directories of CNI plugins
  public record Setup(
      Path dataDir,
      List<Path> kernels,
      Path networks,
      List<Path> plugins,
      RegistryAccess registries) {
    public Setup {
      kernels = List.copyOf(kernels);
      plugins = List.copyOf(plugins);
    }

    List<Path> allKernels() {
      List<Path> all = new ArrayList<>(kernels);
      all.add(VmDirectory.in(dataDir).kernel());
      all.add(Path.of("/"));
      return all;
    }
  }

  private final Setup setup;
  private final VmProcess process;

  private PrivateVmRuntime(Setup setup) {
    this.setup = setup;
    this.process = new VmProcess(VmDirectory.in(setup.dataDir()));
  }

  /// Why the machine can have none, in one line; empty if it can.
  public static String obstacle(Setup setup) {
    return VmRequirements.ofThisMachine(setup.allKernels()).obstacle();
  }

  /// Starts the process unless it runs, and supervises it until closed, because no service manager
  /// does. One that hangs or cannot start is returned too, and supervised further.
  public static SupervisedVmRuntime start(Setup setup) {
    PrivateVmRuntime runtime = new PrivateVmRuntime(setup);
    Duration patience = runtime.process.find().isPresent() ? ANSWERS_IN : STARTS_IN;
    ProcessSupervisor supervisor =
        ProcessSupervisor.of(
            "vm",
            () -> runtime.process.find().map(ProcessHandle::onExit),
            () -> {
              runtime.writeImages();
              runtime.process.launch(JavaCommand.ofThisProcess().text(runtime.words()));
              runtime.process.awaitServing();
            },
            PAUSE);
    return SupervisedVmRuntime.of(
        runtime.process.directory(), supervisor, supervisor.awaitFirstStart(patience));
  }

  /// The socket in a data directory.
  public static Path socket(Path dataDir) {
    return VmDirectory.in(dataDir).socket();
  }

  /// Whether there may be one of an earlier start, which may have pods.
  public static boolean wasStarted(Path dataDir) {
    return Files.exists(VmDirectory.in(dataDir).arguments());
  }

  /// A node without a registry has an image to try.
  private void writeImages() throws IOException {
    Path archive = process.directory().archive();
    RuntimePrograms programs = RuntimePrograms.ofThisMachine();
    if (!Files.exists(archive) && programs.found().containsKey("busybox")) {
      PrivateFiles.createPrivateDirectory(process.directory().path());
      LocalImages.writeDemo(programs.file("busybox"), archive);
    }
  }

  private List<String> words() {
    VmDirectory directory = process.directory();
    List<String> words = new ArrayList<>(List.of("vm-runtime"));
    words.add("--endpoint=unix://" + directory.socket());
    words.add("--data-dir=" + directory.path());
    setup.allKernels().forEach(kernel -> words.add("--kernel-dir=" + kernel));
    words.add("--cni-conf-dir=" + setup.networks());
    setup.plugins().forEach(plugins -> words.add("--cni-bin-dir=" + plugins));
    if (Files.exists(directory.archive())) {
      words.add("--image-archive=" + directory.archive());
      words.add("--pinned-image=" + LocalImages.DEMO);
    }
    if (setup.registries().authority() != null) {
      words.add("--registry-ca=" + setup.registries().authority());
    }
    if (setup.registries().hosts() != null) {
      words.add("--registry-hosts=" + setup.registries().hosts());
    }
    return words;
  }
}
