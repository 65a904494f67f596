package dev.berth.controllers.certificates;

import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.ServerNames;
import java.time.Duration;
import java.util.List;

/// The certificate authorities of the cluster, which only the process of the API server has.
public interface ClusterSigner {
  /// The certificate in PEM.
  ///
  /// @param lifetime the signer may give less
  String sign(
      CertificateSigner by, CertificateRequest request, List<String> usages, Duration lifetime);

  /// Names and addresses that no node gets a certificate for.
  ServerNames serverNames();

  /// Where machines outside reach the API server.
  String url();

  /// Whether serving certificates of nodes are approved by rule; else they wait for a person, as
  /// upstream.
  boolean approvesServing();
}
