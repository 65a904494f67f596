package dev.berth.launch.join;

import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ClientConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The field `authentication.x509.clientCAFile` of a KubeletConfiguration. The server of a node
/// accepts client certificates of the cluster's authority and of no other, so the file must contain
/// that one.
public final class ClientAuthority {
  public static final String FIELD = "authentication.x509.clientCAFile";

  private ClientAuthority() {}

  /// What is wrong with the value of the field.
  ///
  /// @param entry how the node joins, which names the authority
  public static Optional<String> mistake(String file, NodeJoin entry, Path dataDir) {
    Set<X509Certificate> given;
    try {
      given = Set.copyOf(KeyMaterial.certificates(Files.readAllBytes(Path.of(file))));
    } catch (IOException | CertificateException e) {
      return Optional.of("`%s` is %s, which cannot be read: %s".formatted(FIELD, file, e));
    }
    return switch (entry) {
      case NodeJoin.Kubeconfig(Path kubeconfig) -> compared(file, given, kubeconfig);
      case NodeJoin.Bootstrap(Path credentials, var _) -> compared(file, given, credentials);
      case NodeJoin.Join join -> compared(file, given, join.token(), dataDir);
    };
  }

  private static Optional<String> compared(
      String file, Set<X509Certificate> given, @Nullable JoinToken token, Path dataDir) {
    if (token == null) {
      Path own = NodeKubeconfig.below(dataDir).file();
      // Without it the node does not start at all.
      return Files.exists(own) ? compared(file, given, own) : Optional.empty();
    }
    boolean same =
        !given.isEmpty()
            && given.stream()
                .allMatch(one -> JoinToken.fingerprint(one).equals(token.fingerprint()));
    return same ? Optional.empty() : Optional.of(refusal(file, "which --token names"));
  }

  private static Optional<String> compared(
      String file, Set<X509Certificate> given, Path kubeconfig) {
    try {
      String authority = ClientConfig.fromKubeconfig(kubeconfig).authority();
      List<X509Certificate> cluster =
          KeyMaterial.certificates(authority.getBytes(StandardCharsets.US_ASCII));
      return given.equals(new HashSet<>(cluster))
          ? Optional.empty()
          : Optional.of(refusal(file, "as in " + kubeconfig));
    } catch (IllegalArgumentException | CertificateException _) {
      return Optional.empty(); // What is wrong with the kubeconfig is reported when it is used.
    }
  }

  private static String refusal(String file, String which) {
    return "`%s` is %s; the agent accepts only a file with the certificate authority of the cluster, %s"
        .formatted(FIELD, file, which);
  }
}
