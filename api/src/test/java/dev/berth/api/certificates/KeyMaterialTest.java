package dev.berth.api.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The keys were made for this test and open nothing.
final class KeyMaterialTest {
  private static final String EC_OLD_FORM =
      """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIOLeLxqpkFYGcU+Mp6crqUWQ8mZS+VsBfU5lc3FE6lPHoAoGCCqGSM49
      AwEHoUQDQgAEWiJGpZQ3iVlkOgRD8+ZaH4WWgSGOg1ISRiM7Jm53+FOHqoMZ4+f/
      pNeCq9V0s2DOWCv4gKQO0R+MrsfBmJ8TUg==
      -----END EC PRIVATE KEY-----
      """;
  private static final String EC_SAME_KEY =
      """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4t4vGqmQVgZxT4yn
      pyupRZDyZlL5WwF9TmVzcUTqU8ehRANCAARaIkallDeJWWQ6BEPz5lofhZaBIY6D
      UhJGIzsmbnf4U4eqgxnj5/+k14Kr1XSzYM5YK/iApA7RH4yux8GYnxNS
      -----END PRIVATE KEY-----
      """;
  private static final String ED25519 =
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIKm8tjTebBTGOp0iHUe48onbC2bF14/88G+f8YtwWETs
      -----END PRIVATE KEY-----
      """;

  /// As in `kubelet-client-current.pem` of a kubelet.
  private static final String CERTIFICATE_AND_KEY =
      """
      -----BEGIN CERTIFICATE-----
      MIIBbjCCAROgAwIBAgIUPK9+CRsl7pCvh91mrrYjLkikkSswCgYIKoZIzj0EAwIw
      DDEKMAgGA1UEAwwBeDAeFw0yNjExMTkwMzMxMjZaFw0yNjEyMTkwMzMxMjZaMAwx
      CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQprRP8YU1As0w0
      nS3DGFP5C0A/QeXUCeRRddjYTOwmS1UvP4TeV+w/rpoRM+gR+8FovRTLrfgMRSzH
      cddylDCGo1MwUTAdBgNVHQ4EFgQUv2vVyaqy9is2Tmckvdbyg3APerYwHwYDVR0j
      BBgwFoAUv2vVyaqy9is2Tmckvdbyg3APerYwDwYDVR0TAQH/BAUwAwEB/zAKBggq
      hkjOPQQDAgNJADBGAiEAuahPU9hX9GDBvmdMYTmA/orV5z7AQn/R2vFfWCEC7HcC
      IQDVUrxgpdA5G0hLeG/jbpmiftnGOJqrGtJI3AWcR9XZvw==
      -----END CERTIFICATE-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIKGDYdjuZL9S51MQGozZef6P6myc2V3zaSD4Qzx3oT59oAoGCCqGSM49
      AwEHoUQDQgAEKa0T/GFNQLNMNJ0twxhT+QtAP0Hl1AnkUXXY2EzsJktVLz+E3lfs
      P66aETPoEfvBaL0Uy634DEUsx3HXcpQwhg==
      -----END EC PRIVATE KEY-----
      """;

  @Test
  void aFileMayHaveACertificateAndItsKey() throws GeneralSecurityException {
    String key = CERTIFICATE_AND_KEY.substring(CERTIFICATE_AND_KEY.indexOf("-----BEGIN EC"));

    for (String file : List.of(CERTIFICATE_AND_KEY, key + CERTIFICATE_AND_KEY)) {
      byte[] bytes = file.getBytes(StandardCharsets.US_ASCII);
      List<X509Certificate> found = KeyMaterial.certificates(bytes);
      assertThat(found).hasSize(1);
      assertThat(KeyMaterial.isPair(KeyMaterial.privateKey(bytes), found.getFirst().getPublicKey()))
          .isTrue();
    }
  }

  @Test
  void ellipticCurveKeyIsTheSameInBothForms() throws GeneralSecurityException {
    assertThat(secret(EC_OLD_FORM)).isEqualTo(secret(EC_SAME_KEY));
    assertThat(read(EC_SAME_KEY).getAlgorithm()).isEqualTo("EC");
  }

  @Test
  void parametersBeforeTheKeyAreSkipped() throws GeneralSecurityException {
    String parameters =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";

    assertThat(secret(parameters + EC_OLD_FORM)).isEqualTo(secret(EC_SAME_KEY));
  }

  @Test
  void rsaKeyIsTheSameInBothForms() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateKey key = generator.generateKeyPair().getPrivate();
    byte[] encoded = key.getEncoded();
    // The old form is the new one without its 26 bytes that name the algorithm.
    byte[] old = Arrays.copyOfRange(encoded, 26, encoded.length);

    assertThat(read(armored("PRIVATE KEY", encoded))).isEqualTo(key);
    assertThat(read(armored("RSA PRIVATE KEY", old))).isEqualTo(key);
  }

  @Test
  void edwardsCurveKeyIsRead() throws GeneralSecurityException {
    assertThat(read(ED25519).getAlgorithm()).isEqualTo("EdDSA");
  }

  @Test
  void somethingElseIsRefusedWithWhatWasExpected() {
    assertThatThrownBy(() -> read("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"))
        .hasMessage("no private key: expected PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY");
  }

  private static BigInteger secret(String pem) throws GeneralSecurityException {
    return ((ECPrivateKey) read(pem)).getS();
  }

  private static PrivateKey read(String pem) throws GeneralSecurityException {
    return KeyMaterial.privateKey(pem.getBytes(StandardCharsets.US_ASCII));
  }

  private static String armored(String label, byte[] der) {
    String body = Base64.getMimeEncoder().encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
  }
}
