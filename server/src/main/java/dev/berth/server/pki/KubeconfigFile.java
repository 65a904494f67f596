package dev.berth.server.pki;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/// The file from which kubectl and client libraries learn where a cluster is and who they are.
public final class KubeconfigFile {
  private KubeconfigFile() {}

  /// Writes it privately and atomically, certificates and key included; one that says the same
  /// already is left alone, since that needs no space on the disk.
  ///
  /// @param user name of the entry, e.g. `kubernetes-admin`
  public static void write(
      Path file, String serverUrl, String authorityPem, String user, KeyAndCertificate credential) {
    write(file, serverUrl, authorityPem, user, credential.certificatePem(), credential.keyPem());
  }

  /// The same, for a certificate that another server has issued.
  public static void write(
      Path file,
      String serverUrl,
      String authorityPem,
      String user,
      String certificatePem,
      String keyPem) {
    String text = text(serverUrl, authorityPem, user, certificatePem, keyPem);
    if (!PrivateFiles.holds(file, text)) {
      PrivateFiles.write(file, text);
    }
  }

  private static String text(
      String serverUrl, String authorityPem, String user, String certificatePem, String keyPem) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: berth
      cluster:
        certificate-authority-data: %s
        server: %s
    users:
    - name: "%s"
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    - name: berth
      context:
        cluster: berth
        user: "%s"
    current-context: berth
    """
        .formatted(
            base64(authorityPem), serverUrl, user, base64(certificatePem), base64(keyPem), user);
  }

  private static String base64(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }
}
