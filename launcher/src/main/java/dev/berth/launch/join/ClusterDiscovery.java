package dev.berth.launch.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.Problem;
import dev.berth.api.certificates.DetachedSignature;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.launch.process.LaunchException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the authority of a cluster in `kube-public/cluster-info`, as kubeadm does.
///
/// The connection is not trusted, so that two proofs are needed: the token's signature proves that
/// the author of the document knows the token, and the pinned hash that it is the right cluster.
/// The token itself is never sent.
final class ClusterDiscovery {
  /// For the whole answer.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String PATH = "/api/v1/namespaces/kube-public/configmaps/cluster-info";

  private static final Pattern AUTHORITY =
      Pattern.compile("certificate-authority-data\"?: *\"?([A-Za-z0-9+/=]+)");

  private ClusterDiscovery() {}

  /// The authority in PEM.
  static String fetch(URI server, JoinToken token) throws InterruptedException {
    try {
      HttpResponse<String> answer = new UntrustedServer(PATIENCE).get(server.resolve(PATH));
      if (answer.statusCode() != 200) {
        throw refused(
            server,
            "it answered the request for kube-public/cluster-info with status %d"
                .formatted(answer.statusCode()),
            "Allow anonymous users to read the ConfigMap kube-public/cluster-info, as kubeadm does, or use --bootstrap-kubeconfig");
      }
      return authority(server, token, new ObjectMapper().readTree(answer.body()).path("data"));
    } catch (IOException | GeneralSecurityException e) {
      throw refused(
          server, String.valueOf(e.getMessage()), "Check that the server runs and can be reached");
    }
  }

  static String authority(URI server, JoinToken token, JsonNode data)
      throws GeneralSecurityException {
    String kubeconfig = data.path("kubeconfig").asText("");
    String signature = data.path("jws-kubeconfig-" + token.id()).asText("");
    if (!DetachedSignature.isValid(signature, kubeconfig, token.id(), token.secret())) {
      throw refused(
          server,
          signature.isEmpty()
              ? "kube-public/cluster-info is not signed with token " + token.id()
              : "the signature of token %s on kube-public/cluster-info is wrong"
                  .formatted(token.id()),
          "Use a valid token with usage-bootstrap-signing");
    }
    String authority = authority(kubeconfig);
    for (X509Certificate one :
        KeyMaterial.certificates(authority.getBytes(StandardCharsets.US_ASCII))) {
      if (JoinToken.fingerprint(one).equals(token.fingerprint())) {
        return authority;
      }
    }
    throw refused(
        server,
        "none of its authorities has the public key hash sha256:" + token.fingerprint(),
        "Check that this is the right server; the connection may be intercepted");
  }

  /// The kubeconfig in cluster-info has a cluster, but no user and no context.
  private static String authority(String kubeconfig) {
    Matcher data = AUTHORITY.matcher(kubeconfig);
    return data.find()
        ? new String(Base64.getDecoder().decode(data.group(1)), StandardCharsets.US_ASCII)
        : "";
  }

  private static LaunchException refused(URI server, String why, String remedy) {
    return new LaunchException(new Problem("cannot join " + server, why, remedy));
  }
}
