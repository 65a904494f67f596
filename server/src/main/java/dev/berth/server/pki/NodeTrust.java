package dev.berth.server.pki;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/// Trusts the server of one node: a certificate of the node CA for this node's user name at any
/// address, or one of the cluster CA for the address.
///
/// A certificate of the node CA is accepted at any address, because its subject names the node and
/// the server checks the subject before it signs. A certificate of the cluster CA may name
/// anything, so it must also fit the address.
final class NodeTrust extends X509ExtendedTrustManager {
  private final X500Principal subject;
  private final X509ExtendedTrustManager nodeAuthority;
  private final X509ExtendedTrustManager clusterAuthority;

  NodeTrust(
      String node,
      X509ExtendedTrustManager nodeAuthority,
      X509ExtendedTrustManager clusterAuthority) {
    this.subject = new X500Principal("CN=system:node:" + node + ",O=system:nodes");
    this.nodeAuthority = nodeAuthority;
    this.clusterAuthority = clusterAuthority;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    if (!isThisNode(chain, type)) {
      clusterAuthority.checkServerTrusted(chain, type, socket);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    if (!isThisNode(chain, type)) {
      clusterAuthority.checkServerTrusted(chain, type, engine);
    }
  }

  /// Without a connection there is no address to compare.
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    if (!isThisNode(chain, type)) {
      throw new CertificateException("the certificate does not belong to " + subject.getName());
    }
  }

  private boolean isThisNode(X509Certificate[] chain, String type) throws CertificateException {
    try {
      nodeAuthority.checkServerTrusted(chain, type);
    } catch (CertificateException _) {
      return false;
    }
    if (!chain[0].getSubjectX500Principal().equals(subject)) {
      throw new CertificateException(
          "the certificate belongs to %s, not to %s"
              .formatted(chain[0].getSubjectX500Principal().getName(), subject.getName()));
    }
    return true;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("only servers of nodes are trusted here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
