package dev.berth.api.certificates;

import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Makes certificate signing requests, in PEM.
public final class NewRequest {
  private static final int LINE = 64;

  private NewRequest() {}

  /// A request for a user with groups, or for the server of one.
  ///
  /// @param keys on the curve P-256
  /// @param servers host names and addresses; empty for a client
  public static String of(
      KeyPair keys, String commonName, List<String> organizations, List<String> servers) {
    List<byte[]> names = new ArrayList<>();
    organizations.forEach(organization -> names.add(attribute("2.5.4.10", organization)));
    names.add(attribute("2.5.4.3", commonName));
    byte[] content =
        Der.sequence(
            Der.integer(BigInteger.ZERO),
            Der.sequence(names),
            keys.getPublic().getEncoded(),
            Der.explicit(0, servers.isEmpty() ? new byte[0] : extensionRequest(servers)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] der =
          Der.sequence(
              content, Der.sequence(Der.oid("1.2.840.10045.4.3.2")), Der.bits(signature.sign(), 0));
      return "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
          .formatted(Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate request", e);
    }
  }

  private static byte[] attribute(String oid, String value) {
    return Der.set(Der.sequence(Der.oid(oid), Der.utf8(value)));
  }

  private static byte[] extensionRequest(List<String> servers) {
    List<byte[]> names = new ArrayList<>();
    for (String server : servers) {
      names.add(name(server));
    }
    byte[] extension = Der.sequence(Der.oid("2.5.29.17"), Der.octets(Der.sequence(names)));
    return Der.sequence(
        Der.oid("1.2.840.113549.1.9.14"), Der.set(Der.sequence(List.of(extension))));
  }

  private static byte[] name(String server) {
    try {
      return Der.implicit(7, InetAddress.ofLiteral(server).getAddress());
    } catch (IllegalArgumentException _) {
      return Der.implicit(2, server.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
