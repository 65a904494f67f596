package dev.berth.server.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterPkiTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory;

  private final MovableClock clock = new MovableClock(START);

  @Test
  void everythingMadeIsReadAgainUnchanged() {
    ClusterPki first = open();
    KeyAndCertificate admin = first.client(ClientIdentity.ADMIN);
    ClusterPki second = open();

    assertThat(second.authority()).isEqualTo(first.authority());
    assertThat(second.servingCertificate()).isEqualTo(first.servingCertificate());
    assertThat(second.serviceAccountKeys()).isEqualTo(first.serviceAccountKeys());
    assertThat(second.client(ClientIdentity.ADMIN)).isEqualTo(admin);
  }

  @Test
  void certificatesSatisfyThePathRulesOfTheJdk() throws Exception {
    ClusterPki pki = open();
    validate(pki, pki.servingCertificate());
    X509Certificate node = pki.client(ClientIdentity.node("n1")).certificate();
    validate(pki, node);

    assertThat(node.getSubjectX500Principal().getName())
        .isEqualTo("CN=system:node:n1,O=system:nodes");
    assertThat(node.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(node.getBasicConstraints()).isEqualTo(-1);
    assertThat(pki.authority().getBasicConstraints()).isZero();
    assertThat(Duration.between(START, pki.authority().getNotAfter().toInstant()).toDays())
        .isBetween(3650L, 3660L);
  }

  @Test
  void servingCertificateIsGoodForTheGivenAndTheFixedNames() throws Exception {
    ClusterPki pki =
        ClusterPki.open(directory, clock, List.of("box.example", "192.0.2.7", "0.0.0.0"));
    SubjectNames names = SubjectNames.in(pki.servingCertificate());

    assertThat(names.hosts())
        .containsExactlyInAnyOrder(
            "localhost",
            "box.example",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local");
    assertThat(names.addresses())
        .containsExactlyInAnyOrder("127.0.0.1", "0:0:0:0:0:0:0:1", "192.0.2.7");
  }

  @Test
  void newNamesMakeANewServingCertificateFromTheSameAuthority() {
    ClusterPki before = open();
    ClusterPki after = ClusterPki.open(directory, clock, List.of("other"));

    assertThat(after.authority()).isEqualTo(before.authority());
    assertThat(after.servingCertificate()).isNotEqualTo(before.servingCertificate());
  }

  @Test
  void servingCertificateIsRenewedWithoutARestartWhenAThirdOfItsLifeIsLeft() {
    ClusterPki pki = open();
    X509Certificate first = pki.servingCertificate();
    clock.advance(Duration.ofDays(250));
    assertThat(pki.renew()).isFalse();

    clock.advance(Duration.ofDays(10));
    assertThat(pki.renew()).isTrue();
    assertThat(pki.servingCertificate()).isNotEqualTo(first);
    assertThat(pki.renew()).isFalse();
  }

  @Test
  void clientCertificateNearItsEndIsReplaced() {
    KeyAndCertificate first = open().client(ClientIdentity.SCHEDULER);
    clock.advance(Duration.ofDays(300));
    KeyAndCertificate second = open().client(ClientIdentity.SCHEDULER);

    assertThat(second.certificate().getNotAfter()).isAfter(first.certificate().getNotAfter());
  }

  @Test
  void extendedAuthorityStillVouchesForWhatItSignedBefore() throws Exception {
    ClusterPki old = open();
    clock.advance(Duration.ofDays(3000));
    ClusterPki extended = open();

    assertThat(extended.authority()).isNotEqualTo(old.authority());
    old.servingCertificate().verify(extended.authority().getPublicKey());
    extended.servingCertificate().verify(old.authority().getPublicKey());
  }

  @Test
  void filesAreForTheirOwnerOnly() throws IOException {
    open().client(ClientIdentity.ADMIN);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    try (var files = Files.list(directory)) {
      for (Path file : files.filter(f -> !f.endsWith("pki.lock")).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo("rw-------");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ca.pem", "server.pem", "service-account.pem"})
  void cutFileIsNamedWithTheRemedy(String name) throws IOException {
    open();
    Path file = directory.resolve(name);
    String content = Files.readString(file);
    Files.writeString(file, content.substring(0, content.length() / 2));

    assertThatThrownBy(this::open)
        .isInstanceOf(PkiException.class)
        .hasMessageStartingWith(
            "cannot use "
                + file
                + ": the file does not contain the key and certificate that Berth wrote (")
        .hasMessageEndingWith(
            "). Restore it from a backup, or delete it and restart to create a new one");
  }

  @Test
  void keyOfAnotherCertificateIsRefused() throws IOException {
    ClusterPki pki = open();
    Path server = directory.resolve("server.pem");
    String certificate =
        new KeyAndCertificate(
                pki.client(ClientIdentity.CONTROLLERS).key(), pki.servingCertificate())
            .certificatePem();
    Files.writeString(server, certificate + pki.client(ClientIdentity.CONTROLLERS).keyPem());

    assertThatThrownBy(this::open)
        .hasMessageContaining("the private key does not belong to the public one");
  }

  @Test
  void certificateOfAForeignAuthorityIsReplaced() throws IOException {
    X509Certificate first = open().servingCertificate();
    Files.delete(directory.resolve("ca.pem"));

    assertThat(open().servingCertificate()).isNotEqualTo(first);
  }

  @Test
  void secretsStayOutOfTexts() {
    ClusterPki pki = open();
    assertThat(pki.client(ClientIdentity.ADMIN).toString())
        .isEqualTo("Credential[CN=kubernetes-admin,O=system:masters]");
    assertThat(pki.serviceAccountKeys().toString())
        .isEqualTo("ServiceAccountKeys[" + pki.serviceAccountKeys().keyId() + "]");
  }

  private ClusterPki open() {
    return ClusterPki.open(directory, clock, List.of());
  }

  private void validate(ClusterPki pki, X509Certificate certificate) throws Exception {
    PKIXParameters rules = new PKIXParameters(Set.of(new TrustAnchor(pki.authority(), null)));
    rules.setRevocationEnabled(false);
    rules.setDate(Date.from(clock.instant()));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), rules);
  }
}
