package dev.berth.cli.runtimes;

import dev.berth.api.Quantity;
import dev.berth.cli.node.RegistryFlags;
import dev.berth.cli.options.BuildVersion;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.LogVerbosity;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.launch.process.ProcessLifetime;
import dev.berth.launch.vm.RunningVmRuntime;
import dev.berth.launch.vm.VmRuntimeSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth vm-runtime`: the runtime service that runs pods in virtual machines.
@Command(
    name = "vm-runtime",
    description = {
      "Run a runtime service (CRI v1) that starts each pod in a virtual machine of its own.",
      "`berth up` starts one by itself. docs/vm-runtime.md describes it."
    },
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth vm-runtime",
      "  berth vm-runtime --memory 256Mi --kernel-dir /opt/guest",
      "  berth agent --container-runtime-endpoint"
          + " 'container:containerd:unix:///run/containerd/containerd.sock;container:vm:unix:///run/berth/vm.sock'",
      "  crictl --runtime-endpoint unix:///run/berth/vm.sock info"
    })
public final class VmRuntimeCommand implements Callable<Integer>, FlagChecks {
  private static final int SMALLEST_MEBIBYTES = 128;
  private static final int MEBIBYTE = 1 << 20;
  private static final int MOST_PROCESSORS = 64;

  @Spec private CommandSpec spec;

  @OptionSection("Service")
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      defaultValue = "unix:///run/berth/vm.sock",
      description = "Unix socket on which the runtime service listens. Default: ${DEFAULT-VALUE}.")
  private String endpoint = "";

  @OptionSection("Service")
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Directory with machines, templates, images and networks, used by one process at a time."
              + " Default: the subdirectory vm-runtime of the data directory of this user.")
  private String dataDir = "";

  @OptionSection("Machine")
  @Option(
      names = "--kernel-dir",
      paramLabel = "DIR",
      description =
          "Directory with boot/vmlinuz-RELEASE and lib/modules/RELEASE of the guests' kernel. Can"
              + " be repeated; the first with a kernel is used. Default: the subdirectory guest of"
              + " the data directory, then /.")
  private List<String> kernels = List.of();

  @OptionSection("Machine")
  @Option(
      names = "--memory",
      paramLabel = "QUANTITY",
      defaultValue = "128Mi",
      description =
          "Memory of the guest of a pod that has no memory limit. Default: ${DEFAULT-VALUE}.")
  private String memory = "";

  @OptionSection("Machine")
  @Option(
      names = "--processors",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Processors of the guest of a pod that has no CPU limit. Default: ${DEFAULT-VALUE}.")
  private String processors = "";

  @OptionSection("Network")
  @Option(
      names = "--cni-conf-dir",
      paramLabel = "DIR",
      defaultValue = "/etc/cni/net.d",
      description =
          "Directory of CNI configurations, of which the first by name is used. Use that of the"
              + " container runtime, so that all pods of the node are in one network. Default:"
              + " ${DEFAULT-VALUE}.")
  private String networks = "";

  @OptionSection("Network")
  @Option(
      names = "--cni-bin-dir",
      paramLabel = "DIR",
      description =
          "Directory of CNI plugins. Can be repeated. Default: /opt/cni/bin, then /usr/lib/cni.")
  private List<String> plugins = List.of();

  @OptionSection("Image")
  @Option(
      names = "--image-archive",
      paramLabel = "FILE",
      description =
          "Archive of images (docker save, or an OCI layout as a tar file) that is loaded at the"
              + " start, for machines without a registry. Can be repeated.")
  private List<String> archives = List.of();

  @OptionSection("Image")
  @Option(
      names = "--pinned-image",
      paramLabel = "IMAGE",
      description =
          "Image that garbage collection leaves alone, such as one of an archive. Can be repeated.")
  private List<String> pinned = List.of();

  @Mixin private RegistryFlags registries;

  @Option(names = "-v", description = "Log debug messages; -vv also logs messages of libraries.")
  private boolean[] verbosity = {};

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    settings(mistakes);
    return mistakes;
  }

  @Override
  public Integer call() throws InterruptedException {
    LogVerbosity.set(verbosity.length);
    RunningVmRuntime running =
        RunningVmRuntime.start(settings(new ArrayList<>()), BuildVersion.text());
    ProcessLifetime.untilSignal(
        running,
        spec.commandLine().getOut(),
        running.greeting(),
        () -> "Stopping; the machines keep running.");
    return 0;
  }

  private VmRuntimeSettings settings(List<String> mistakes) {
    Path directory =
        dataDir.isEmpty()
            ? DefaultDataDir.ofThisUser().resolve("vm-runtime")
            : Path.of(dataDir).toAbsolutePath().normalize();
    return new VmRuntimeSettings(
        socket(mistakes),
        directory,
        kernels.isEmpty() ? List.of(directory.resolve("guest"), Path.of("/")) : paths(kernels),
        memory(mistakes),
        processors(mistakes),
        Path.of(networks),
        plugins.isEmpty()
            ? List.of(Path.of("/opt/cni/bin"), Path.of("/usr/lib/cni"))
            : paths(plugins),
        paths(archives),
        Set.copyOf(pinned),
        registries.read(mistakes));
  }

  private static List<Path> paths(List<String> words) {
    return words.stream().map(word -> Path.of(word).toAbsolutePath()).toList();
  }

  private Path socket(List<String> mistakes) {
    String path = endpoint.replaceFirst("^unix://", "");
    if (!path.startsWith("/")) {
      mistakes.add("--endpoint=%s: must be unix:///PATH".formatted(endpoint));
    }
    return Path.of(path);
  }

  private int memory(List<String> mistakes) {
    long mebibytes = Quantity.parse(memory).map(Quantity::value).orElse(0L) / MEBIBYTE;
    if (mebibytes >= SMALLEST_MEBIBYTES && mebibytes <= MEBIBYTE) {
      return (int) mebibytes;
    }
    mistakes.add(
        "--memory=%s: must be a quantity of at least %dMi, such as 256Mi"
            .formatted(memory, SMALLEST_MEBIBYTES));
    return SMALLEST_MEBIBYTES;
  }

  private int processors(List<String> mistakes) {
    if (processors.matches("[0-9]{1,2}")) {
      int count = Integer.parseInt(processors);
      if (count >= 1 && count <= MOST_PROCESSORS) {
        return count;
      }
    }
    mistakes.add(
        "--processors=%s: must be a number from 1 to %d".formatted(processors, MOST_PROCESSORS));
    return 1;
  }
}
