package dev.berth.agent.node.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.client.ApiClient;
import dev.berth.client.fake.FakeApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CertificateSourcesTest {
  @TempDir private Path directory;

  /// Upstream answers 403 to nodes, who may not ask for paths that it does not know.
  @ParameterizedTest
  @ValueSource(ints = {403, 404})
  void theNodeSignsForItselfWhereTheServerDoesNot(int answer) throws Exception {
    try (FakeApi api = new FakeApi(List.of(), InstantSource.system())) {
      api.refuse(_ -> true, answer, "Forbidden");
      SignedByServer source =
          new SignedByServer(new ApiClient(api), "web-1", List.of("10.0.0.7"), directory, false);
      Files.writeString(directory.resolve("self-signed.p12"), "what a killed agent left");

      X509Certificate own = source.obtain().chain().getFirst();

      assertThat(own.getSubjectX500Principal().getName()).isEqualTo("CN=web-1");
      assertThat(own.getSubjectAlternativeNames())
          .extracting(name -> String.valueOf(name.get(1)))
          .containsExactlyInAnyOrder("web-1", "10.0.0.7");
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void aCertificateComesFromFilesWithItsKeyOnly() throws Exception {
    SelfSigned own = SelfSigned.make(directory, "web-1", List.of("10.0.0.7"));
    Path certificate = write("tls.crt", "CERTIFICATE", own.certificate().getEncoded());
    ServingFiles files = new ServingFiles(certificate, key("tls.key", own.key()));
    ServingFiles mixed =
        new ServingFiles(certificate, key("other.key", KeyMaterial.newKeys().getPrivate()));

    assertThat(files.obtain().chain()).containsExactly(own.certificate());
    assertThatThrownBy(mixed::obtain)
        .hasMessage(
            "%s is not the key of the certificate in %s", mixed.key(), mixed.certificates());
  }

  private Path key(String name, PrivateKey key) throws Exception {
    return write(name, "PRIVATE KEY", key.getEncoded());
  }

  private Path write(String name, String type, byte[] der) throws Exception {
    return Files.writeString(directory.resolve(name), PemBlocks.encode(type, der));
  }
}
