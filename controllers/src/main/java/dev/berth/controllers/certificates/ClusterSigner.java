package dev.berth.controllers.certificates;

import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.ServerNames;
import java.time.Duration;
import java.util.List;

/// Signs with the certificate authorities of the cluster; only the process of the API server has
/// their keys.
public interface ClusterSigner {
  /// The certificate in PEM.
  ///
  /// @param lifetime the requested lifetime; the signer may shorten it
  String sign(
      CertificateSigner by, CertificateRequest request, List<String> usages, Duration lifetime);

  /// Names and addresses of the API server, for which no node gets a certificate.
  ServerNames serverNames();

  /// The address at which other machines reach the API server.
  String url();

  /// Whether serving certificates of nodes are approved by rule; otherwise they wait for a person,
  /// as upstream.
  boolean approvesServing();
}
