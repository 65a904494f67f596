package dev.berth.launch.runtimes;

import dev.berth.api.certificates.KeyMaterial;
import dev.berth.launch.process.LineRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The mark of a cluster on its sandboxes. It separates the pods of this cluster's node from those
/// that a node of the same name in another cluster has on the same runtime, such as two `berth up`
/// on one machine.
public final class ClusterId {
  private static final String RECORD = "cluster";
  private static final int BYTES = 8;

  private ClusterId() {}

  /// The mark of the cluster. It is computed from the authority, so that a node that lost its
  /// directory gets the same one; it is recorded all the same, because an authority may be replaced
  /// while pods run.
  ///
  /// @param directory the agent's directory
  /// @param authority the certificate authority of the cluster, in PEM
  public static String of(Path directory, String authority) throws IOException {
    Optional<String> before = recorded(directory);
    if (before.isPresent()) {
      return before.get();
    }
    String mark = digest(authority);
    record(directory).replace(List.of(mark));
    return mark;
  }

  /// The mark that the last agent with this directory used, if there was one.
  static Optional<String> recorded(Path directory) throws IOException {
    return record(directory).read().stream()
        .map(String::strip)
        .filter(mark -> !mark.isEmpty())
        .findFirst();
  }

  private static LineRecord record(Path directory) {
    return new LineRecord(directory.resolve(RECORD));
  }

  private static String digest(String authority) throws IOException {
    try {
      byte[] certificate = KeyMaterial.certificate(authority).getEncoded();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate);
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (CertificateException e) {
      throw new IOException("the certificate authority of the API server cannot be read", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }
}
