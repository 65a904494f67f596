package dev.berth.api.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CertificateRequestTest {
  private static final List<String> NODE_CLIENT = List.of("digital signature", "client auth");
  private static final List<String> NODE_SERVING =
      List.of("digital signature", "key encipherment", "server auth");

  private final KeyPair keys = keys("EC", "secp256r1");

  @Test
  void whatIsMadeIsRead() throws Exception {
    String pem =
        CertificateRequestWriter.of(
            keys, "system:node:n1", List.of("system:nodes"), List.of("n1", "10.0.0.5", "fd00::5"));
    CertificateRequest request = CertificateRequest.parse(pem);

    assertThat(request.commonName()).isEqualTo("system:node:n1");
    assertThat(request.organizations()).containsExactly("system:nodes");
    assertThat(request.key()).isEqualTo(keys.getPublic());
    assertThat(request.names().hosts()).containsExactly("n1");
    assertThat(request.names().addresses()).containsExactly("10.0.0.5", "fd00:0:0:0:0:0:0:5");
    assertThat(CertificateSigner.NODE_SERVING.problem(request, NODE_SERVING)).isEmpty();
    assertThat(CertificateSigner.NODE_CLIENT.problem(request, NODE_CLIENT))
        .contains("DNS and IP subjectAltNames are not allowed");
  }

  @Test
  void aSecondGroupInTheSameRelativeNameIsSeen() throws Exception {
    byte[] both =
        DerWriter.set(
            concatenation(
                attribute("2.5.4.10", "system:nodes"), attribute("2.5.4.10", "system:masters")));
    byte[] subject =
        DerWriter.sequence(both, DerWriter.set(attribute("2.5.4.3", "system:node:n1")));
    CertificateRequest request = CertificateRequest.parse(signed(content(subject), keys));

    assertThat(request.organizations()).containsExactly("system:nodes", "system:masters");
    assertThat(CertificateSigner.NODE_CLIENT.problem(request, NODE_CLIENT))
        .contains("subject organization is not system:nodes");
  }

  @Test
  void namesInEveryExtensionRequestAreSeen() throws Exception {
    byte[] first = names(DerWriter.implicit(2, ascii("n1")));
    byte[] second =
        names(
            DerWriter.implicit(2, ascii("kubernetes")), DerWriter.implicit(6, ascii("spiffe://x")));
    byte[] info = content(subject("system:node:n1"), concatenation(first, second));
    CertificateRequest request = CertificateRequest.parse(signed(info, keys));

    assertThat(request.names().hosts()).containsExactly("n1", "kubernetes");
    assertThat(CertificateSigner.NODE_SERVING.problem(request, NODE_SERVING))
        .contains("Email and URI subjectAltNames are not allowed");
  }

  @Test
  void onlyTheOwnerOfTheKeyMayAsk() {
    byte[] info = content(subject("system:node:n1"));

    assertThatThrownBy(() -> CertificateRequest.parse(signed(info, keys("EC", "secp256r1"))))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("the request is not signed with its own key");
  }

  @Test
  void smallKeysAndOddCurvesAreRefused() {
    KeyPair small = keys("RSA", "1024");
    assertThatThrownBy(() -> CertificateRequest.parse(signed(content(subject("a"), small), small)))
        .hasMessageStartingWith("the RSA key has 1024 bits (allowed: 2048 to 8192");
  }

  @Test
  void aHugeKeyIsRefusedBeforeItIsUsed() {
    byte[] modulus = new byte[1_500];
    modulus[0] = 1;
    modulus[1_499] = 1;
    byte[] numbers =
        DerWriter.sequence(
            DerWriter.integer(new BigInteger(1, modulus)),
            DerWriter.integer(BigInteger.valueOf(65_537)));
    byte[] info =
        DerWriter.sequence(
            DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.1.1"), new byte[] {5, 0}),
            DerWriter.bits(numbers, 0));
    byte[] content =
        DerWriter.sequence(
            DerWriter.integer(BigInteger.ZERO),
            subject("a"),
            info,
            DerWriter.explicit(0, new byte[0]));

    assertThatThrownBy(() -> CertificateRequest.parse(signed(content, keys)))
        .hasMessageContaining("bits (allowed: 2048 to 8192");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE REQUEST-----\nMIIB",
        "-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----",
        "-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----",
        "-----BEGIN CERTIFICATE REQUEST-----\nMIAAAA==\n-----END CERTIFICATE REQUEST-----"
      })
  void nonsenseIsRefused(String pem) {
    assertThatThrownBy(() -> CertificateRequest.parse(pem))
        .isInstanceOf(MalformedRequestException.class);
  }

  @Test
  void everyCutAndChangedByteIsRefusedOrHarmless() throws Exception {
    byte[] der =
        Base64.getMimeDecoder()
            .decode(
                CertificateRequestWriter.of(
                        keys, "system:node:n1", List.of("system:nodes"), List.of("n1"))
                    .replaceAll("-----[A-Z ]+-----", ""));
    for (int i = 0; i < der.length; i++) {
      byte[] changed = der.clone();
      changed[i] ^= 0x15;
      assertThatThrownBy(() -> CertificateRequest.parse(pem(changed)))
          .as("byte %d", i)
          .isInstanceOf(MalformedRequestException.class);
    }
  }

  @Test
  void detachedSignaturesAreThoseOfKubeadm() {
    // From RFC 7515 appendix F and upstream's own form: the header names algorithm and token.
    String signature = DetachedSignature.of("content", "abcdef", "0123456789abcdef");

    assertThat(signature).matches("[\\w-]+\\.\\.[\\w-]{43}");
    assertThat(
            new String(
                Base64.getUrlDecoder().decode(signature.split("\\.", 2)[0]),
                StandardCharsets.UTF_8))
        .isEqualTo("{\"alg\":\"HS256\",\"kid\":\"abcdef\"}");
    assertThat(DetachedSignature.isValid(signature, "content", "abcdef", "0123456789abcdef"))
        .isTrue();
    assertThat(DetachedSignature.isValid(signature, "other", "abcdef", "0123456789abcdef"))
        .isFalse();
  }

  private byte[] content(byte[] subject) {
    return content(subject, new byte[0]);
  }

  private byte[] content(byte[] subject, byte[] attributes) {
    return DerWriter.sequence(
        DerWriter.integer(BigInteger.ZERO),
        subject,
        keys.getPublic().getEncoded(),
        DerWriter.explicit(0, attributes));
  }

  private static byte[] content(byte[] subject, KeyPair of) {
    return DerWriter.sequence(
        DerWriter.integer(BigInteger.ZERO),
        subject,
        of.getPublic().getEncoded(),
        DerWriter.explicit(0, new byte[0]));
  }

  private static byte[] names(byte[]... names) {
    byte[] extension =
        DerWriter.sequence(DerWriter.oid("2.5.29.17"), DerWriter.octets(DerWriter.sequence(names)));
    return DerWriter.sequence(
        DerWriter.oid("1.2.840.113549.1.9.14"),
        DerWriter.set(DerWriter.sequence(List.of(extension))));
  }

  private static byte[] subject(String commonName) {
    return DerWriter.sequence(
        DerWriter.set(attribute("2.5.4.10", "system:nodes")),
        DerWriter.set(attribute("2.5.4.3", commonName)));
  }

  private static byte[] attribute(String oid, String value) {
    return DerWriter.sequence(DerWriter.oid(oid), DerWriter.utf8(value));
  }

  private static String signed(byte[] content, KeyPair signer) throws GeneralSecurityException {
    boolean rsa = signer.getPrivate().getAlgorithm().equals("RSA");
    Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
    signature.initSign(signer.getPrivate());
    signature.update(content);
    String algorithm = rsa ? "1.2.840.113549.1.1.11" : "1.2.840.10045.4.3.2";
    return pem(
        DerWriter.sequence(
            content,
            DerWriter.sequence(DerWriter.oid(algorithm)),
            DerWriter.bits(signature.sign(), 0)));
  }

  private static String pem(byte[] der) {
    return "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
        .formatted(Base64.getMimeEncoder().encodeToString(der));
  }

  private static KeyPair keys(String algorithm, String size) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        generator.initialize(new ECGenParameterSpec(size));
      } else {
        generator.initialize(Integer.parseInt(size));
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] concatenation(byte[] one, byte[] other) {
    byte[] both = java.util.Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
