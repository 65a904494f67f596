package dev.berth.agent.node.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.certificates.PemBlocks;
import dev.berth.client.Backoff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServingCertificateTest {
  private static final Duration LOOK = Duration.ofMillis(5);

  @TempDir private Path directory;
  private final NodeTls tls = new NodeTls();
  private final Semaphore looks = new Semaphore(0);

  @Test
  void aCertificateAndItsKeyInFilesOfTheirOwnAreReadAgainTogether() throws Exception {
    SelfSigned first = SelfSigned.make(directory, "web-1", List.of("10.0.0.7"));
    SelfSigned second = SelfSigned.make(directory, "web-1", List.of("10.0.0.7"));
    Path certificate = directory.resolve("tls.crt");
    Path key = directory.resolve("tls.key");
    writeCertificate(certificate, first);
    writeKey(key, first);
    ServingFiles files = new ServingFiles(certificate, key);
    CertificateSource counted =
        () -> {
          looks.release();
          return files.obtain();
        };

    try (ServingCertificate _ =
        ServingCertificate.start(
            tls, counted, InstantSource.system(), new Backoff(LOOK, LOOK, new Random(1)), LOOK)) {
      awaitLooks();
      assertThat(shown()).isEqualTo(first.certificate());

      // The key is not there yet: a handshake with the new certificate would fail.
      writeCertificate(certificate, second);
      awaitLooks();
      assertThat(shown()).isEqualTo(first.certificate());
      assertThat(tls.getPrivateKey("node")).isEqualTo(first.key());

      writeKey(key, second);
      awaitLooks();
      assertThat(shown()).isEqualTo(second.certificate());
      assertThat(tls.getPrivateKey("node")).isEqualTo(second.key());
    }
  }

  /// The third look from now began after the second was installed, and that after this call.
  private void awaitLooks() throws InterruptedException {
    looks.drainPermits();
    assertThat(looks.tryAcquire(3, 60, TimeUnit.SECONDS)).isTrue();
  }

  private X509Certificate shown() {
    X509Certificate[] chain = Objects.requireNonNull(tls.getCertificateChain("node"));
    assertThat(chain).hasSize(1);
    return chain[0];
  }

  private static void writeCertificate(Path file, SelfSigned from) throws Exception {
    Files.writeString(
        file, PemBlocks.encode(PemBlocks.CERTIFICATE, from.certificate().getEncoded()));
  }

  private static void writeKey(Path file, SelfSigned from) throws Exception {
    Files.writeString(file, PemBlocks.encode(PemBlocks.PRIVATE_KEY, from.key().getEncoded()));
  }
}
