package dev.berth.server.pki;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/// Writes kubeconfig files.
public final class KubeconfigFile {
  private KubeconfigFile() {}

  /// Writes the file privately and atomically, with certificates and key inline. An unchanged file
  /// is not written, which works on a full disk, too.
  ///
  /// @param user name of the entry, e.g. `kubernetes-admin`
  public static void write(
      Path file, String serverUrl, String authorityPem, String user, KeyAndCertificate credential) {
    write(file, serverUrl, authorityPem, user, credential.certificatePem(), credential.keyPem());
  }

  /// Like the other method, for a certificate that another server issued.
  public static void write(
      Path file,
      String serverUrl,
      String authorityPem,
      String user,
      String certificatePem,
      String keyPem) {
    String text = text(serverUrl, authorityPem, user, certificatePem, keyPem);
    if (!PkiFiles.holds(file, text)) {
      PkiFiles.write(file, text);
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
