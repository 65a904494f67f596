package dev.berth.cli.controlplane;

import dev.berth.cli.node.RegistryFlags;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.controlplane.StoreChoice;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.server.ServerConfig;
import dev.berth.server.encryption.ValueEncryption;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.kinds.catalog.KindOptions;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags of a control plane, as `up` and `server` take them.
///
/// All flags are read as text and checked here, so that one run reports every mistake.
final class ServerFlags {
  @OptionSection("Storage")
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Directory that holds the state of the control plane: objects, certificates and"
              + " admin.kubeconfig. Default: /var/lib/berth for root, otherwise berth in the user's"
              + " XDG data directory.")
  private @Nullable String dataDir;

  @OptionSection("Serving")
  @Option(
      names = "--bind-address",
      paramLabel = "IP",
      defaultValue = "127.0.0.1",
      description =
          "IP address on which the API server listens. Default: ${DEFAULT-VALUE}, which only"
              + " this machine can reach.")
  private String bindAddress = "";

  @OptionSection("Serving")
  @Option(
      names = "--secure-port",
      paramLabel = "PORT",
      defaultValue = "6443",
      description =
          "Port on which the API server serves HTTPS; 0 selects any free port. Default:"
              + " ${DEFAULT-VALUE}.")
  private String securePort = "";

  @OptionSection("Storage")
  @Option(
      names = "--store",
      paramLabel = "KIND",
      defaultValue = "sqlite",
      description =
          "Storage backend for objects: sqlite (in the data directory) or etcd. Default:"
              + " ${DEFAULT-VALUE}.")
  private String store = "";

  @OptionSection("Storage")
  @Option(
      names = "--etcd-servers",
      paramLabel = "URLS",
      description =
          "Comma-separated list of etcd client URLs (scheme://host:port). Requires --store"
              + " etcd.")
  private @Nullable String etcdServers;

  @OptionSection("Storage")
  @Option(
      names = "--etcd-prefix",
      paramLabel = "PATH",
      description =
          "Prefix of all keys in etcd. API servers that use the same prefix share their"
              + " objects. Default: /berth.")
  private @Nullable String etcdPrefix;

  @OptionSection("Storage")
  @Option(
      names = "--etcd-cafile",
      paramLabel = "FILE",
      description =
          "PEM file with the certificate authority that signed the serving certificates of"
              + " etcd.")
  private @Nullable String etcdCaFile;

  @OptionSection("Storage")
  @Option(
      names = "--etcd-certfile",
      paramLabel = "FILE",
      description = "PEM file with the client certificate that the API server presents to etcd.")
  private @Nullable String etcdCertFile;

  @OptionSection("Storage")
  @Option(
      names = "--etcd-keyfile",
      paramLabel = "FILE",
      description = "PEM file with the private key of --etcd-certfile.")
  private @Nullable String etcdKeyFile;

  @OptionSection("Admission")
  @Option(
      names = "--immutable-runtime-handlers",
      description =
          "Reject changes to the handler of an existing RuntimeClass, as upstream Kubernetes"
              + " does.")
  private boolean immutableRuntimeHandlers;

  @Mixin private IdentityFlags identity;
  @Mixin private NetworkFlags network;
  @Mixin private RequestFlags requests;
  @Mixin private AdmissionFlags admission;
  @Mixin private RegistryFlags registries;
  @Mixin private EncryptionFlags encryption;
  @Mixin private AuditFlags audit;
  @Mixin private ClassSchedulingFlag classes;

  @OptionSection("Controller and scheduler")
  @Option(
      names = "--no-scheduler",
      description =
          "Do not run the scheduler in this process. Pods are then scheduled by `berth"
              + " scheduler` or by another scheduler.")
  private boolean noScheduler;

  @OptionSection("Controller and scheduler")
  @Option(
      names = "--no-controllers",
      description =
          "Do not run controllers in this process. They then run in another API server process"
              + " on the same etcd, or in kube-controller-manager.")
  private boolean noControllers;

  @OptionSection("Controller and scheduler")
  @Option(
      names = "--no-serving-certificate-approval",
      description =
          "Do not approve CertificateSigningRequests of signer kubernetes.io/kubelet-serving,"
              + " as upstream Kubernetes. By default, requests are approved if only the requesting"
              + " node has the requested names and addresses.")
  private boolean noServingApproval;

  @Option(names = "-v", description = "Log debug messages; -vv also logs messages of libraries.")
  private boolean[] verbosity = {};

  int verbosity() {
    return verbosity.length;
  }

  RegistryFlags registries() {
    return registries;
  }

  List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    read(mistakes);
    return mistakes;
  }

  /// The checked values; call it only when there are no mistakes.
  LaunchConfig config() {
    List<String> mistakes = new ArrayList<>();
    LaunchConfig config = read(mistakes);
    if (config == null) {
      throw new IllegalStateException(String.join("; ", mistakes));
    }
    return config;
  }

  private @Nullable LaunchConfig read(List<String> mistakes) {
    Path directory = readDataDir(mistakes);
    InetAddress address = readAddress(mistakes);
    int port = readPort(mistakes);
    StoreChoice choice = readStore(mistakes);
    mistakes.addAll(classes.mistakes());
    HttpConfig http =
        HttpConfig.STANDARD
            .with(requests.read(mistakes))
            .with(requests.readLimits(mistakes))
            .with(
                admission
                    .read(registries.reloaded(mistakes), mistakes)
                    .withControllers(!noControllers))
            .withAudit(audit.read(mistakes))
            .withTokenFile(identity.readTokenFile(mistakes));
    ValueEncryption values = encryption.read(mistakes);
    ServerConfig.Network services = network.read(mistakes);
    if (directory == null || address == null || choice == null) {
      return null;
    }
    ServerConfig server =
        ServerConfig.of(directory, address, port)
            .with(new KindOptions(immutableRuntimeHandlers))
            .with(http)
            .with(values)
            .with(services)
            .with(identity.read(directory, address, services, mistakes));
    return mistakes.isEmpty()
        ? new LaunchConfig(
            server,
            choice,
            new LaunchConfig.LocalClients(
                !noControllers, !noScheduler, !noServingApproval, classes.read()),
            null)
        : null;
  }

  private @Nullable Path readDataDir(List<String> mistakes) {
    if (dataDir == null) {
      return DefaultDataDir.ofThisUser();
    }
    Path directory = dataDir.isEmpty() ? null : Path.of(dataDir).toAbsolutePath().normalize();
    if (directory == null || (Files.exists(directory) && !Files.isDirectory(directory))) {
      mistakes.add(
          "--data-dir=" + dataDir + ": must name a directory (it is made when it does not exist)");
      return null;
    }
    return directory;
  }

  private @Nullable InetAddress readAddress(List<String> mistakes) {
    try {
      return InetAddress.ofLiteral(bindAddress);
    } catch (IllegalArgumentException e) {
      mistakes.add(
          "--bind-address=%s: must be an IPv4 or IPv6 address, such as 127.0.0.1, or 0.0.0.0 for all"
              .formatted(bindAddress));
      return null;
    }
  }

  private int readPort(List<String> mistakes) {
    if (securePort.matches("[0-9]{1,5}") && Integer.parseInt(securePort) <= 65535) {
      return Integer.parseInt(securePort);
    }
    mistakes.add(
        "--secure-port=%s: must be a number from 0 to 65535 (0 takes any free port)"
            .formatted(securePort));
    return -1;
  }

  private @Nullable StoreChoice readStore(List<String> mistakes) {
    EtcdFlags etcd = new EtcdFlags(etcdServers, etcdPrefix, etcdCaFile, etcdCertFile, etcdKeyFile);
    return switch (store) {
      case "sqlite" -> {
        if (!etcd.given().isEmpty()) {
          mistakes.add(
              String.join(", ", etcd.given()) + ": only with --store etcd (the store is sqlite)");
        }
        yield new StoreChoice.Embedded();
      }
      case "etcd" -> etcd.read(mistakes);
      default -> {
        mistakes.add("--store=" + store + ": must be sqlite or etcd");
        yield null;
      }
    };
  }
}
