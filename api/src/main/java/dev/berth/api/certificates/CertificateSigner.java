package dev.berth.api.certificates;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The signers of a Kubernetes control plane, with the rules for the requests that they sign.
///
/// The messages are upstream's.
public enum CertificateSigner {
  /// The signer of certificates for any client of the API server. Nothing approves such a request
  /// automatically.
  API_CLIENT("kubernetes.io/kube-apiserver-client") {
    @Override
    public Optional<String> problem(CertificateRequest request, List<String> usages) {
      for (String usage : usages) {
        if (!OPTIONAL.contains(usage) && !usage.equals(CLIENT_AUTH)) {
          return Optional.of("invalid usage for client certificate: " + usage);
        }
      }
      return usages.contains(CLIENT_AUTH)
          ? Optional.empty()
          : Optional.of("missing required usage for client certificate: " + CLIENT_AUTH);
    }
  },
  /// The signer of certificates with which a node is a client of the API server.
  NODE_CLIENT("kubernetes.io/kube-apiserver-client-kubelet") {
    @Override
    public Optional<String> problem(CertificateRequest request, List<String> usages) {
      Optional<String> subject = subjectProblem(request);
      if (subject.isPresent()) {
        return subject;
      }
      RequestedNames names = request.names();
      if (!names.servers().isEmpty()) {
        return Optional.of("DNS and IP subjectAltNames are not allowed");
      }
      return names.isEmpty() ? usageProblem(usages, CLIENT_AUTH) : Optional.of(OTHER_NAMES);
    }
  },
  /// The signer of certificates for the server of a node.
  NODE_SERVING("kubernetes.io/kubelet-serving") {
    @Override
    public Optional<String> problem(CertificateRequest request, List<String> usages) {
      Optional<String> subject = subjectProblem(request);
      if (subject.isPresent()) {
        return subject;
      }
      RequestedNames names = request.names();
      if (names.servers().isEmpty()) {
        return Optional.of("DNS or IP subjectAltName is required");
      }
      boolean others = !names.emails().isEmpty() || !names.uris().isEmpty() || names.others() > 0;
      return others ? Optional.of(OTHER_NAMES) : usageProblem(usages, "server auth");
    }
  };

  /// The prefix of a node's common name.
  public static final String NODE_PREFIX = "system:node:";

  public static final String NODES = "system:nodes";
  private static final String CLIENT_AUTH = "client auth";
  private static final String OTHER_NAMES = "Email and URI subjectAltNames are not allowed";
  private static final Set<String> OPTIONAL = Set.of("digital signature", "key encipherment");

  private final String signerName;

  CertificateSigner(String signerName) {
    this.signerName = signerName;
  }

  public static Optional<CertificateSigner> named(String signerName) {
    for (CertificateSigner signer : values()) {
      if (signer.signerName.equals(signerName)) {
        return Optional.of(signer);
      }
    }
    return Optional.empty();
  }

  /// The value of `spec.signerName`.
  public String signerName() {
    return signerName;
  }

  /// Why this signer refuses the request; empty when it signs it.
  public abstract Optional<String> problem(CertificateRequest request, List<String> usages);

  private static Optional<String> subjectProblem(CertificateRequest request) {
    if (!request.organizations().equals(List.of(NODES))) {
      return Optional.of("subject organization is not system:nodes");
    }
    return request.commonName().startsWith(NODE_PREFIX)
            && request.commonName().length() > NODE_PREFIX.length()
        ? Optional.empty()
        : Optional.of("subject common name does not begin with system:node:");
  }

  /// Keys of elliptic curves cannot encipher keys, so that requests may omit that usage.
  private static Optional<String> usageProblem(List<String> usages, String purpose) {
    Set<String> least = Set.of("digital signature", purpose);
    Set<String> most = new HashSet<>(least);
    most.add("key encipherment");
    Set<String> given = new HashSet<>(usages);
    return given.equals(least) || given.equals(most)
        ? Optional.empty()
        : Optional.of(
            "usages did not match [digital signature %s] or [digital signature key encipherment %s]"
                .formatted(purpose, purpose));
  }
}
