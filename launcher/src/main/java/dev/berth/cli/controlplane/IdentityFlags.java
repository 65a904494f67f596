package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
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

/// Flags about who the server is and whom it believes, still as text.
final class IdentityFlags {
  private static final Pattern HOST_NAME =
      Pattern.compile("(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  @Option(
      names = "--cert-dir",
      paramLabel = "DIR",
      description =
          "Holds the cluster's authority, the key of service account tokens and the certificates of"
              + " clients; made when missing. Servers of one cluster need the same ones. Default: pki"
              + " in the data directory.")
  private @Nullable String certDir;

  @Option(
      names = "--tls-sans",
      paramLabel = "NAMES",
      description =
          "Further names and addresses, separated by commas, that the serving certificate is made"
              + " for; this machine's name and the bind address are in it anyway.")
  private @Nullable String subjectNames;

  @Option(
      names = "--tls-cert-file",
      paramLabel = "FILE",
      description =
          "PEM certificate to serve with, followed by those of its issuers; read again every"
              + " minute, with its key.")
  private @Nullable String tlsCertFile;

  @Option(
      names = "--tls-private-key-file",
      paramLabel = "FILE",
      description = "PEM private key of --tls-cert-file.")
  private @Nullable String tlsKeyFile;

  @Option(
      names = "--client-ca-file",
      paramLabel = "FILE",
      description =
          "PEM certificates of authorities whose client certificates are accepted, besides Berth's"
              + " own; read again every minute.")
  private @Nullable String clientCaFile;

  @Option(
      names = "--service-account-signing-key-file",
      paramLabel = "FILE",
      description =
          "PEM private key, RSA or P-256, that service account tokens are signed with, in place of"
              + " the one in --cert-dir.")
  private @Nullable String signingKeyFile;

  @Option(
      names = "--service-account-key-file",
      paramLabel = "FILE",
      description =
          "PEM keys that service account tokens may be signed with as well. May be given more than"
              + " once.")
  private List<String> tokenKeyFiles = new ArrayList<>();

  @Option(
      names = "--token-auth-file",
      paramLabel = "FILE",
      description = "CSV file of users: token,user,uid and optionally \"group1,group2\".")
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

  /// The file that tells users by their tokens.
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
