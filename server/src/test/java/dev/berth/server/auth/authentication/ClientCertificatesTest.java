package dev.berth.server.auth.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.MovableClock;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClientCertificatesTest {
  private final MovableClock clock = new MovableClock(Instant.parse("2026-05-01T00:00:00Z"));

  @Test
  void aVerificationByOldAuthoritiesIsNotRememberedUnderNewOnes(@TempDir Path directory) {
    ClusterPki pki = ClusterPki.open(directory, clock, List.of());
    X509Certificate admin = pki.client(ClientIdentity.ADMIN).certificate();
    X509Certificate node = pki.client(ClientIdentity.node("n1")).certificate();
    AtomicReference<List<X509Certificate>> authorities = new AtomicReference<>();
    ClientCertificates certificates = new ClientCertificates(authorities::get, clock);
    X509Certificate authority = pki.clientAuthorities().getFirst();
    // While a signature is compared, nobody is trusted any more, and another request sees that.
    authorities.set(
        new AbstractList<>() {
          @Override
          public X509Certificate get(int index) {
            authorities.set(List.of());
            assertThat(certificates.find(node)).isNull();
            return authority;
          }

          @Override
          public int size() {
            return 1;
          }
        });

    certificates.find(admin);

    assertThat(certificates.find(admin)).isNull();
  }
}
