package dev.berth.api.certificates;

import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.util.ArrayList;
import java.util.List;

/// Creates certificate signing requests in PEM. Keys are on the curve P-256, as upstream's kubelet
/// has them.
public final class CertificateRequestWriter {
  private CertificateRequestWriter() {}

  /// A request for a client certificate of a user with groups, or for its serving certificate.
  ///
  /// @param keys on the curve P-256
  /// @param servers host names and addresses; empty for a client
  public static String of(
      KeyPair keys, String commonName, List<String> organizations, List<String> servers) {
    List<byte[]> names = new ArrayList<>();
    organizations.forEach(organization -> names.add(attribute("2.5.4.10", organization)));
    names.add(attribute("2.5.4.3", commonName));
    byte[] content =
        DerWriter.sequence(
            DerWriter.integer(BigInteger.ZERO),
            DerWriter.sequence(names),
            keys.getPublic().getEncoded(),
            DerWriter.explicit(0, servers.isEmpty() ? new byte[0] : extensionRequest(servers)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] der =
          DerWriter.sequence(
              content,
              DerWriter.sequence(DerWriter.oid("1.2.840.10045.4.3.2")),
              DerWriter.bits(signature.sign(), 0));
      return PemBlocks.encode(PemBlocks.CERTIFICATE_REQUEST, der);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate request", e);
    }
  }

  private static byte[] attribute(String oid, String value) {
    return DerWriter.set(DerWriter.sequence(DerWriter.oid(oid), DerWriter.utf8(value)));
  }

  private static byte[] extensionRequest(List<String> servers) {
    List<byte[]> names = new ArrayList<>();
    for (String server : servers) {
      names.add(name(server));
    }
    byte[] extension =
        DerWriter.sequence(DerWriter.oid("2.5.29.17"), DerWriter.octets(DerWriter.sequence(names)));
    return DerWriter.sequence(
        DerWriter.oid("1.2.840.113549.1.9.14"),
        DerWriter.set(DerWriter.sequence(List.of(extension))));
  }

  /// An entry of the subject alternative names (RFC 5280 4.2.1.6): `[7]` is an address, `[2]` a DNS
  /// name.
  private static byte[] name(String server) {
    try {
      return DerWriter.implicit(7, InetAddress.ofLiteral(server).getAddress());
    } catch (IllegalArgumentException _) {
      return DerWriter.implicit(2, server.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
