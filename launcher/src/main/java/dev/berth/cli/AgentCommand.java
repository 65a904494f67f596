package dev.berth.cli;

import dev.berth.agent.node.certificates.ServingFiles;
import dev.berth.launch.AgentConfig;
import dev.berth.launch.DataHome;
import dev.berth.launch.JoinToken;
import dev.berth.launch.Lifetime;
import dev.berth.launch.NodeEntry;
import dev.berth.launch.StandaloneAgent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth agent`: this machine as a node of any Kubernetes API server.
@Command(
    name = "agent",
    description = "Make this machine a node of an API server, Berth's or an upstream one.",
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth agent --server https://10.0.0.1:6443 --token TOKEN    as printed by `berth token`",
      "  berth agent --kubeconfig node.kubeconfig",
      "  berth agent --kubeconfig node.kubeconfig --container-runtime-endpoint \\",
      "    'container:containerd:unix:///run/containerd/containerd.sock;vm:qemu:unix:///run/vm.sock'"
    })
final class AgentCommand implements Callable<Integer>, FlagChecks {
  private static final String CERTIFICATE = "--tls-cert-file";
  private static final String KEY = "--tls-private-key-file";

  @Spec private CommandSpec spec;
  @Mixin private KubeconfigFlag kubeconfig;
  @Mixin private NodeFlags node;

  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "",
      description = "Join the cluster of this API server, with --token.")
  private String server = "";

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      defaultValue = "",
      description =
          "What `berth token` printed; needed once, then the node has a certificate of its own."
              + " With another server, node name or authority, or after that has expired, the node"
              + " joins anew.")
  private String token = "";

  @Option(
      names = {"--data-dir", "--root-dir"},
      paramLabel = "DIR",
      defaultValue = "",
      description = "Holds everything of the node. Default: as `berth up`.")
  private String dataDir = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "10250",
      description = "HTTPS port of the node; 0 takes any free one. Default: ${DEFAULT-VALUE}.")
  private String port = "";

  @Option(
      names = CERTIFICATE,
      paramLabel = "FILE",
      description =
          "Certificate of the node's server, in PEM, read again every hour. Default: one from"
              + " Berth's API server; of an upstream one, the node signs its own.")
  private @Nullable String certificateFile;

  @Option(names = KEY, paramLabel = "FILE", description = "The key of that certificate.")
  private @Nullable String keyFile;

  @Option(names = "-v", description = "Log more; -vv also logs what libraries do.")
  private boolean[] verbosity = {};

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(server.isEmpty() ? kubeconfig.mistakes() : List.of());
    if (!server.isEmpty() && !server.matches("https://[^/]+/?")) {
      mistakes.add("--server=" + server + ": must be https://HOST:PORT");
    }
    if (!server.isEmpty() && !token.isEmpty() && JoinToken.parse(token).isEmpty()) {
      mistakes.add("--token: must be what `berth token` printed, ID.SECRET.FINGERPRINT");
    }
    if (server.isEmpty() && !token.isEmpty()) {
      mistakes.add("--token: only with --server");
    }
    read(mistakes);
    return mistakes;
  }

  @Override
  public Integer call() throws InterruptedException {
    Verbosity.set(verbosity.length);
    node.notices().forEach(notice -> spec.commandLine().getErr().println("Warning: " + notice));
    NodeEntry entry =
        server.isEmpty()
            ? new NodeEntry.Kubeconfig(kubeconfig.path())
            : new NodeEntry.Join(
                URI.create(server.replaceFirst("/$", "")), JoinToken.parse(token).orElse(null));
    StandaloneAgent agent =
        StandaloneAgent.start(read(new ArrayList<>()), entry, spec.commandLine().getOut()::println);
    Lifetime.untilSignal(
        agent, spec.commandLine().getOut(), "Node %s runs.%n".formatted(agent), () -> "Stopping.");
    return 0;
  }

  private AgentConfig read(List<String> mistakes) {
    Path folder =
        dataDir.isEmpty() ? DataHome.ofThisUser() : Path.of(dataDir).toAbsolutePath().normalize();
    int number = new NodeFlagReader(mistakes).port("--port", port);
    return node.read(folder, null, number, mistakes).servingWith(servingFiles(mistakes));
  }

  private @Nullable ServingFiles servingFiles(List<String> mistakes) {
    int before = mistakes.size();
    Path certificate = FileFlag.pem(CERTIFICATE, certificateFile, mistakes);
    Path key = FileFlag.pem(KEY, keyFile, mistakes);
    FileFlag.requireBoth(CERTIFICATE, certificate, KEY, key, mistakes);
    if (certificate == null || key == null || mistakes.size() > before) {
      return null;
    }
    ServingFiles files = new ServingFiles(certificate, key);
    try {
      files.obtain();
    } catch (GeneralSecurityException | IOException e) {
      mistakes.add("%s=%s: %s".formatted(CERTIFICATE, certificateFile, e.getMessage()));
    }
    return files;
  }
}
