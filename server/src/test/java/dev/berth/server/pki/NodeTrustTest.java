package dev.berth.server.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.certificates.KeyMaterial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeTrustTest {
  @TempDir private Path directory;

  @Test
  void theApiServerAcceptsTheNodeItselfAndNoOther() throws Exception {
    ClusterPki pki = ClusterPki.open(directory, Clock.systemUTC(), List.of());
    X509Certificate[] ofNode = chain(pki.nodeServingCertificate("n1", List.of(), key()));
    NodeTrust trust = trust(pki, "n1");

    assertThatCode(() -> trust.checkServerTrusted(ofNode, "UNKNOWN")).doesNotThrowAnyException();
    assertThatThrownBy(() -> trust(pki, "n2").checkServerTrusted(ofNode, "UNKNOWN"))
        .isInstanceOf(CertificateException.class)
        .hasMessage(
            "the certificate belongs to CN=system:node:n1,O=system:nodes, not to"
                + " CN=system:node:n2,O=system:nodes");
    X509Certificate[] client = chain(pki.nodeCertificate("n1", key()));
    assertThatThrownBy(() -> trust.checkServerTrusted(client, "UNKNOWN"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void clientsOfTheApiServerDoNotTrustTheAuthorityOfNodes() throws Exception {
    ClusterPki pki = ClusterPki.open(directory, Clock.systemUTC(), List.of());
    X509Certificate[] ofNode =
        chain(pki.nodeServingCertificate("n1", List.of("localhost", "127.0.0.1"), key()));

    assertThat(pki.authorityPem()).doesNotContain(pki.nodeAuthorityPem());
    assertThatThrownBy(
            () -> NodeContexts.trusting(pki.authority()).checkServerTrusted(ofNode, "UNKNOWN"))
        .isInstanceOf(CertificateException.class);
  }

  private static NodeTrust trust(ClusterPki pki, String node) throws Exception {
    X509Certificate nodes = chain(pki.nodeAuthorityPem())[0];
    return new NodeTrust(
        node, NodeContexts.trusting(nodes), NodeContexts.trusting(pki.authority()));
  }

  private static java.security.PublicKey key() {
    return KeyMaterial.newKeys().getPublic();
  }

  private static X509Certificate[] chain(String pem) throws CertificateException {
    return new X509Certificate[] {
      (X509Certificate)
          java.security.cert.CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new java.io.ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
    };
  }
}
