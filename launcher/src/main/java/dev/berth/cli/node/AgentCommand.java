package dev.berth.cli.node;

import dev.berth.agent.node.certificates.ServingFiles;
import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.KubeconfigFlag;
import dev.berth.cli.options.LogVerbosity;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.join.ClientAuthority;
import dev.berth.launch.join.JoinToken;
import dev.berth.launch.join.NodeJoin;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.launch.process.HealthzListener;
import dev.berth.launch.process.ProcessLifetime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    description =
        "Run this machine as a node of a Kubernetes API server, Berth's or an upstream one.",
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth agent --server https://10.0.0.1:6443 --token TOKEN    as printed by `berth token`",
      "  berth agent --kubeconfig node.kubeconfig",
      "  berth agent --kubeconfig node.kubeconfig --container-runtime-endpoint \\",
      "    'container:containerd:unix:///run/containerd/containerd.sock;vm:qemu:unix:///run/vm.sock'"
    })
public final class AgentCommand implements Callable<Integer>, FlagChecks {
  private static final String CERTIFICATE = "--tls-cert-file";
  private static final String KEY = "--tls-private-key-file";
  private static final String HASH = "--discovery-token-ca-cert-hash";

  private static final String ROTATE = "--rotate-certificates";
  private static final String ROTATE_SERVING = "--rotate-server-certificates";
  private static final String PORT = "--port";
  private static final String HEALTHZ_PORT = "--healthz-port";
  private static final int HIGHEST_PORT = 65_535;
  private static final String HEALTHZ_ADDRESS = "--healthz-bind-address";

  @Spec private CommandSpec spec;
  @Mixin private KubeconfigFlag kubeconfig;
  @Mixin private NodeFlags node;
  @Mixin private RegistryFlags registries;

  @OptionSection("Cluster")
  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "",
      description =
          "URL of the API server whose cluster the node joins. Requires --token until the node"
              + " has joined.")
  private String server = "";

  @OptionSection("Cluster")
  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      defaultValue = "",
      description =
          "Bootstrap token as printed by `berth token`. The node uses the token once and then"
              + " its own certificate. The node joins again if server, node name or certificate"
              + " authority change, or if the certificate has expired.")
  private String token = "";

  @OptionSection("Cluster")
  @Option(
      names = HASH,
      paramLabel = "sha256:HEX",
      defaultValue = "",
      description =
          "Hash of the public key of the cluster's certificate authority, as for `kubeadm"
              + " join`. Requires --server and a --token of the form ID.SECRET. The node reads"
              + " kube-public/cluster-info and requests its certificate with a"
              + " CertificateSigningRequest, which every Kubernetes API server supports.")
  private String authorityHash = "";

  @OptionSection("Cluster")
  @Option(
      names = "--bootstrap-kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig file with which the node requests a client certificate if --kubeconfig is"
              + " missing or not valid. The new kubeconfig is written to --kubeconfig, or to the data"
              + " directory.")
  private @Nullable String bootstrapKubeconfig;

  @OptionSection("Certificate")
  @ConfigKey(value = "rotateCertificates", shape = ConfigShape.BOOLEAN)
  @Option(
      names = ROTATE,
      paramLabel = "BOOLEAN",
      defaultValue = "",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Renew the client certificate of the node after 70 to 90 percent of its lifetime. The"
              + " new certificate of a kubeconfig that the agent did not write is kept in the data"
              + " directory. Default: true.")
  private String rotateCertificates = "";

  @OptionSection("Certificate")
  @ConfigKey(value = "serverTLSBootstrap", shape = ConfigShape.BOOLEAN)
  @Option(
      names = ROTATE_SERVING,
      paramLabel = "BOOLEAN",
      defaultValue = "",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Request the serving certificate of the node from the signer"
              + " kubernetes.io/kubelet-serving and renew it before it expires. If false, Berth's API"
              + " server issues the certificate directly; with any other API server the node signs it"
              + " itself. Default: false.")
  private String rotateServerCertificates = "";

  @OptionSection("Node")
  @Option(
      names = {"--data-dir", "--root-dir"},
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Directory that holds all files of the node. Default: /var/lib/berth for root,"
              + " otherwise berth in the user's XDG data directory.")
  private String dataDir = "";

  @OptionSection("Node serving")
  @ConfigKey(value = "port", shape = ConfigShape.COUNT)
  @Option(
      names = PORT,
      paramLabel = "PORT",
      defaultValue = "",
      description =
          "Port on which the node serves its HTTPS API (logs, exec, metrics); 0 selects any"
              + " free port. Default: 10250.")
  private String port = "";

  @OptionSection("Node serving")
  @ConfigKey(value = "healthzPort", shape = ConfigShape.NUMBER)
  @Option(
      names = HEALTHZ_PORT,
      paramLabel = "PORT",
      defaultValue = "",
      description =
          "Port on which the agent serves /healthz over HTTP, such as 10248 for `kubeadm join`; 0"
              + " for none. Default: 0; the kubelet's default is 10248.")
  private String healthzPort = "";

  @OptionSection("Node serving")
  @ConfigKey("healthzBindAddress")
  @Option(
      names = HEALTHZ_ADDRESS,
      paramLabel = "IP",
      defaultValue = "",
      description = "IP address on which the agent serves --healthz-port. Default: 127.0.0.1.")
  private String healthzAddress = "";

  @OptionSection("Certificate")
  @ConfigKey("tlsCertFile")
  @Option(
      names = CERTIFICATE,
      paramLabel = "FILE",
      defaultValue = "",
      description =
          "PEM file with the serving certificate of the node. The file and its key are reloaded"
              + " every minute. Default: Berth's API server issues the certificate; with an upstream"
              + " API server the node signs it itself.")
  private String certificateFile = "";

  @OptionSection("Certificate")
  @ConfigKey("tlsPrivateKeyFile")
  @Option(
      names = KEY,
      paramLabel = "FILE",
      defaultValue = "",
      description = "PEM file with the private key of --tls-cert-file.")
  private String keyFile = "";

  @Option(names = "-v", description = "Log debug messages; -vv also logs messages of libraries.")
  private boolean[] verbosity = {};

  @Override
  public List<String> mistakes() {
    boolean given = server.isEmpty() && bootstrapKubeconfig == null;
    List<String> mistakes = new ArrayList<>(given ? kubeconfig.mistakes() : List.of());
    if (!server.isEmpty() && !server.matches("https://[^/]+/?")) {
      mistakes.add("--server=" + server + ": must be https://HOST:PORT");
    }
    if (!authorityHash.isEmpty() && !authorityHash.matches("sha256:[0-9a-f]{64}")) {
      mistakes.add(HASH + "=" + authorityHash + ": must be sha256: and 64 hexadecimal digits");
    } else if (!server.isEmpty() && !token.isEmpty() && joinToken() == null) {
      mistakes.add(
          "--token: must be what `berth token` printed, ID.SECRET.FINGERPRINT; or ID.SECRET together"
              + " with "
              + HASH);
    }
    if (!server.isEmpty() && bootstrapKubeconfig != null) {
      mistakes.add(
          "--bootstrap-kubeconfig: must not be set with --server, which the file contains");
    }
    if (bootstrapKubeconfig != null && !Files.isReadable(Path.of(bootstrapKubeconfig))) {
      mistakes.add("--bootstrap-kubeconfig=%s: cannot be read".formatted(bootstrapKubeconfig));
    }
    if (server.isEmpty() && !token.isEmpty()) {
      mistakes.add("--token: requires --server");
    }
    read(mistakes);
    return mistakes;
  }

  @Override
  public Integer call() throws InterruptedException {
    LogVerbosity.set(verbosity.length);
    node.notices().forEach(notice -> spec.commandLine().getErr().println("Warning: " + notice));
    AgentSettings settings = read(new ArrayList<>());
    // Ends with the process.
    settings.healthz().ifPresent(HealthzListener::start);
    StandaloneAgent agent =
        StandaloneAgent.start(
            settings.agent(),
            entry(),
            settings.rotateCertificates(),
            spec.commandLine().getOut()::println);
    ProcessLifetime.untilSignal(
        agent, spec.commandLine().getOut(), "Node %s.%n".formatted(agent), () -> "Stopping.");
    return 0;
  }

  private NodeJoin entry() {
    if (bootstrapKubeconfig != null) {
      return new NodeJoin.Bootstrap(Path.of(bootstrapKubeconfig), kubeconfig.given());
    }
    return server.isEmpty()
        ? new NodeJoin.Kubeconfig(kubeconfig.path())
        : new NodeJoin.Join(
            URI.create(server.replaceFirst("/$", "")), joinToken(), !authorityHash.isEmpty());
  }

  /// From `berth token`, or from the token and the hash of `kubeadm join`.
  private @Nullable JoinToken joinToken() {
    String whole =
        authorityHash.isEmpty() ? token : token + "." + authorityHash.replaceFirst("sha256:", "");
    return JoinToken.parse(whole).orElse(null);
  }

  AgentSettings read(List<String> mistakes) {
    Path directory =
        dataDir.isEmpty()
            ? DefaultDataDir.ofThisUser()
            : Path.of(dataDir).toAbsolutePath().normalize();
    NodeFlagReader reader = new NodeFlagReader(mistakes);
    ConfigFile file = node.file(mistakes);
    checkClientAuthority(file, directory, mistakes);
    int number = reader.port(PORT, file.value(PORT, port, "10250"));
    AgentConfig config =
        node.read(directory, null, number, file, mistakes)
            .with(registries.read(file, mistakes))
            .servingWith(servingFiles(file, mistakes))
            .requestingServing(
                reader.bool(
                    ROTATE_SERVING, file.value(ROTATE_SERVING, rotateServerCertificates, "false")));
    return new AgentSettings(
        config,
        reader.bool(ROTATE, file.value(ROTATE, rotateCertificates, "true")),
        healthz(file, reader));
  }

  private Optional<InetSocketAddress> healthz(ConfigFile file, NodeFlagReader reader) {
    String text = file.value(HEALTHZ_PORT, healthzPort, "0");
    int number = reader.number(HEALTHZ_PORT, text, 0, HIGHEST_PORT);
    InetAddress address =
        reader.address(HEALTHZ_ADDRESS, file.value(HEALTHZ_ADDRESS, healthzAddress, "127.0.0.1"));
    return address == null || number <= 0 || number > HIGHEST_PORT
        ? Optional.empty()
        : Optional.of(new InetSocketAddress(address, number));
  }

  private void checkClientAuthority(ConfigFile file, Path directory, List<String> mistakes) {
    String given = file.field(ClientAuthority.FIELD);
    if (!given.isEmpty()) {
      ClientAuthority.mistake(given, entry(), directory)
          .ifPresent(mistake -> mistakes.add(file.mistake(mistake)));
    }
  }

  private @Nullable ServingFiles servingFiles(ConfigFile file, List<String> mistakes) {
    int before = mistakes.size();
    String certificateText = file.value(CERTIFICATE, certificateFile, "");
    String keyText = file.value(KEY, keyFile, "");
    Path certificate = pem(CERTIFICATE, certificateText, mistakes);
    Path key = pem(KEY, keyText, mistakes);
    FileFlag.requireBoth(CERTIFICATE, certificate, KEY, key, mistakes);
    if (certificate == null || key == null || mistakes.size() > before) {
      return null;
    }
    ServingFiles files = new ServingFiles(certificate, key);
    try {
      files.obtain();
    } catch (GeneralSecurityException | IOException e) {
      mistakes.add("%s=%s: %s".formatted(CERTIFICATE, certificate, e.getMessage()));
    }
    return files;
  }

  private static @Nullable Path pem(String flag, String file, List<String> mistakes) {
    return file.isEmpty() ? null : FileFlag.pem(flag, file, mistakes);
  }

  /// @param rotateCertificates whether the node renews its client certificate
  /// @param healthz where `/healthz` is served over HTTP
  record AgentSettings(
      AgentConfig agent, boolean rotateCertificates, Optional<InetSocketAddress> healthz) {}
}
