package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.process.HostNames;
import dev.berth.server.ServerConfig;
import dev.berth.server.pki.PkiConfig;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Flags about the certificates of the server and the credentials that it accepts, read as text and
/// checked.
@OptionSection("Certificate and authentication")
final class IdentityFlags {
  private static final Pattern HOST_NAME =
      Pattern.compile("(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  @Option(
      names = "--cert-dir",
      paramLabel = "DIR",
      description =
          "Directory that holds the certificate authority of the cluster, the key of service"
              + " account tokens, and client certificates. It is created if it does not exist. All API"
              + " servers of a cluster need the same files. Default: pki in the data directory.")
  private @Nullable String certDir;

  @Option(
      names = "--tls-sans",
      paramLabel = "NAMES",
      description =
          "Comma-separated list of additional host names and IP addresses in the serving"
              + " certificate. The host name of this machine and the bind address are always included.")
  private @Nullable String subjectNames;

  @Option(
      names = "--tls-cert-file",
      paramLabel = "FILE",
      description =
          "PEM file with the serving certificate, followed by intermediate certificates. The"
              + " file and its key are reloaded every minute. Default: the API server issues its own"
              + " certificate.")
  private @Nullable String tlsCertFile;

  @Option(
      names = "--tls-private-key-file",
      paramLabel = "FILE",
      description = "PEM file with the private key of --tls-cert-file.")
  private @Nullable String tlsKeyFile;

  @Option(
      names = "--client-ca-file",
      paramLabel = "FILE",
      description =
          "PEM file with certificate authorities whose client certificates are accepted in"
              + " addition to those of the cluster's own authority. The file is reloaded every minute.")
  private @Nullable String clientCaFile;

  @Option(
      names = "--service-account-signing-key-file",
      paramLabel = "FILE",
      description =
          "PEM file with the private key (RSA or P-256) that signs service account tokens."
              + " Default: the key in --cert-dir.")
  private @Nullable String signingKeyFile;

  @Option(
      names = "--service-account-key-file",
      paramLabel = "FILE",
      description =
          "PEM file with an additional key that verifies service account tokens. Can be"
              + " repeated.")
  private List<String> tokenKeyFiles = new ArrayList<>();

  @Option(
      names = "--token-auth-file",
      paramLabel = "FILE",
      description =
          "CSV file with static bearer tokens, one line per user: token,user,uid and optionally"
              + " \"group1,group2\".")
  private @Nullable String tokenFile;

  PkiConfig read(
      Path dataDir, InetAddress bindAddress, ServerConfig.Network network, List<String> mistakes) {
    Path own = dataDir.resolve("pki");
    List<String> names = new ArrayList<>(HostNames.of(bindAddress));
    names.add(network.services().first());
    if (network.advertised() != null) {
      names.add(network.advertised().getHostAddress());
    }
    names.addAll(readNames(mistakes));
    return new PkiConfig(
        certDir == null ? own : readDirectory(certDir, mistakes),
        own,
        names,
        FileFlag.pem("--client-ca-file", clientCaFile, mistakes),
        readTokenKeys(mistakes),
        FileFlag.pem("--service-account-signing-key-file", signingKeyFile, mistakes),
        readServing(mistakes));
  }

  /// The file with static bearer tokens.
  @Nullable Path readTokenFile(List<String> mistakes) {
    return FileFlag.readable("--token-auth-file", tokenFile, "must be a file", mistakes);
  }

  private static Path readDirectory(String text, List<String> mistakes) {
    Path directory = Path.of(text).toAbsolutePath().normalize();
    if (text.isEmpty() || (Files.exists(directory) && !Files.isDirectory(directory))) {
      mistakes.add(
          "--cert-dir=" + text + ": must name a directory (it is made when it does not exist)");
    }
    return directory;
  }

  private List<String> readNames(List<String> mistakes) {
    List<String> names = new ArrayList<>();
    if (subjectNames != null) {
      for (String name : subjectNames.split(",", -1)) {
        names.add(name.strip());
        if (!HOST_NAME.matcher(name.strip()).matches() && !isAddress(name.strip())) {
          mistakes.add(
              "--tls-sans=%s: '%s' must be a host name in lower case or an IP address"
                  .formatted(subjectNames, name));
        }
      }
    }
    return names;
  }

  private static boolean isAddress(String text) {
    try {
      return InetAddress.ofLiteral(text) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private List<Path> readTokenKeys(List<String> mistakes) {
    List<Path> files = new ArrayList<>();
    for (String file : tokenKeyFiles) {
      Path path = FileFlag.pem("--service-account-key-file", file, mistakes);
      if (path != null) {
        files.add(path);
      }
    }
    return files;
  }

  private PkiConfig.@Nullable Serving readServing(List<String> mistakes) {
    Path certificate = FileFlag.pem("--tls-cert-file", tlsCertFile, mistakes);
    Path key = FileFlag.pem("--tls-private-key-file", tlsKeyFile, mistakes);
    FileFlag.requireBoth("--tls-cert-file", certificate, "--tls-private-key-file", key, mistakes);
    return certificate == null || key == null ? null : new PkiConfig.Serving(certificate, key);
  }
}
