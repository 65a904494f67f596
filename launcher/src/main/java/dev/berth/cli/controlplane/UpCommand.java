package dev.berth.cli.controlplane;

import dev.berth.cli.node.NodeFlagReader;
import dev.berth.cli.node.NodeFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LocalNode;
import dev.berth.launch.containerd.programs.PackageInstallation;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.launch.runtimes.RuntimeAccess;
import dev.berth.launch.runtimes.RuntimeSource;
import dev.berth.launch.runtimes.VmChoice;
import dev.berth.launch.vm.VmInstallation;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth up`: everything in one process.
@Command(
    name = "up",
    description = "Start a control plane and a node in one process on this machine.",
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth up",
      "  berth up --install    installs containerd, runc, crun and QEMU from Debian; requires root",
      "  berth up --data-dir /tmp/second --secure-port 0    a second control plane beside the first"
    })
public final class UpCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ServerFlags flags;
  @Mixin private NodeFlags node;

  @OptionSection("Node serving")
  @Option(
      names = "--agent-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "Port on which the node serves its HTTPS API (logs, exec, metrics); 0 selects any"
              + " free port. Default: ${DEFAULT-VALUE}.")
  private String agentPort = "";

  @OptionSection("Runtime")
  @Option(
      names = "--no-agent",
      description = "Do not start a node in this process, as `berth server`.")
  private boolean noAgent;

  @OptionSection("Runtime")
  @Option(
      names = "--simulate",
      description =
          "Use only a simulated runtime, which starts no containers. Runtimes on this machine"
              + " and registered runtime services are ignored.")
  private boolean simulate;

  @OptionSection("Runtime")
  @Option(
      names = "--private-containerd",
      description =
          "Start a private containerd for this node, even if containerd or CRI-O runs on this"
              + " machine.")
  private boolean privateContainerd;

  @OptionSection("Runtime")
  @Option(
      names = "--install",
      description =
          "Install the Debian packages of a private containerd first (containerd, runc, crun,"
              + " CNI plugins) and of virtual machines (QEMU), and unpack a kernel for guests into"
              + " the data directory. Requires root.")
  private boolean install;

  @OptionSection("Runtime")
  @Option(
      names = "--no-vm-runtime",
      description =
          "Do not start the runtime service for pods in virtual machines. By default it is started"
              + " beside real container runtimes where QEMU and a kernel for guests exist.")
  private boolean noVmRuntime;

  @OptionSection("Runtime")
  @Option(
      names = "--vm-kernel-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Directory with boot/vmlinuz-RELEASE and lib/modules/RELEASE of the guests' kernel."
              + " Default: the kernel that --install unpacked, then /.")
  private String kernel = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(flags.mistakes());
    if (simulate && (install || privateContainerd)) {
      mistakes.add("--simulate: must not be set with --install or --private-containerd");
    }
    // Data directory and address come from the control plane, which reports mistakes in them.
    agent(DefaultDataDir.ofThisUser(), null, mistakes);
    // Control plane and node have the flags of registries in common.
    return mistakes.stream().distinct().toList();
  }

  @Override
  public Integer call() throws InterruptedException {
    LaunchConfig config = flags.config();
    node.notices().forEach(notice -> spec.commandLine().getErr().println("Warning: " + notice));
    if (install) {
      PackageInstallation.run(spec.commandLine().getOut()::println);
      if (!noVmRuntime) {
        VmInstallation.run(config.dataDir(), spec.commandLine().getOut()::println);
      }
    }
    LaunchConfig all =
        noAgent ? config : config.with(new LocalNode(agent(config), source(), machines()));
    return ControlPlaneRun.run(all, flags.verbosity(), spec.commandLine().getOut());
  }

  private VmChoice machines() {
    return new VmChoice(
        !noVmRuntime && !simulate,
        kernel.isEmpty() ? List.of() : List.of(Path.of(kernel).toAbsolutePath()));
  }

  private RuntimeSource source() {
    if (simulate) {
      return RuntimeSource.SIMULATED;
    }
    // The package may have started the containerd that was just installed, without a pod network.
    return privateContainerd || install ? RuntimeSource.PRIVATE : RuntimeSource.ANY;
  }

  private AgentConfig agent(LaunchConfig config) {
    InetAddress bind = config.server().bindAddress();
    AgentConfig agent =
        agent(config.dataDir(), bind.isAnyLocalAddress() ? null : bind, new ArrayList<>());
    return agent.with(new RuntimeAccess(simulate, agent.access().besideKubelet()));
  }

  private AgentConfig agent(Path dataDir, @Nullable InetAddress bind, List<String> mistakes) {
    int port = new NodeFlagReader(mistakes).port("--agent-port", agentPort);
    return node.read(dataDir, bind, port, flags.registries(), mistakes);
  }
}
