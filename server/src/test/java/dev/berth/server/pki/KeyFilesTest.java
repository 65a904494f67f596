package dev.berth.server.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that OpenSSL wrote.
class KeyFilesTest {
  @TempDir Path directory;

  private static Path file(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(KeyFilesTest.class.getResource(name)).toURI());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rsa-pkcs1.pem", "rsa-pkcs8.pem", "ec-sec1.pem", "ec-pkcs8.pem"})
  void keysOfEveryFormAreReadWithTheirPublicHalf(String name) throws Exception {
    KeyPair pair = KeyFiles.keyPair(file(name));
    KeyPairs.check(pair.getPrivate(), pair.getPublic());
    assertThat(pair.getPrivate().getAlgorithm()).isEqualTo(name.startsWith("rsa") ? "RSA" : "EC");
    assertThat(KeyFiles.publicKeys(file(name))).containsExactly(pair.getPublic());
    assertThat(KeyFiles.privateKey(file(name))).isEqualTo(pair.getPrivate());
  }

  @Test
  void publicKeysComeFromKeysAndCertificates() throws Exception {
    assertThat(KeyFiles.publicKeys(file("rsa-public.pem")))
        .containsExactly(KeyFiles.keyPair(file("rsa-pkcs8.pem")).getPublic());
    ClusterPki pki = ClusterPki.open(directory, java.time.Clock.systemUTC(), java.util.List.of());
    assertThat(KeyFiles.publicKeys(directory.resolve("ca.crt")))
        .containsExactly(pki.authority().getPublicKey());
    assertThat(KeyFiles.publicKeys(directory.resolve("service-account.pem")))
        .containsExactly(pki.serviceAccountKeys().publicKey());
    assertThat(KeyFiles.keyPair(directory.resolve("service-account.pem")).getPrivate())
        .isEqualTo(pki.serviceAccountKeys().privateKey());
  }

  @ParameterizedTest
  @CsvSource({
    "rsa-1024.pem, the file contains a RSA key of a size that is not supported",
    "ec-p384.pem, ''",
    "rsa-public.pem, the file contains no private key"
  })
  void keysThatCannotBeUsedAreRefused(String name, String why) throws Exception {
    Path file = file(name);
    assertThatThrownBy(() -> KeyFiles.keyPair(file))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("file " + file + " cannot be used")
        .hasMessageContaining(why);
  }

  @Test
  void aFileWithNothingInItIsRefused() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    assertThatThrownBy(() -> KeyFiles.certificates(empty))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("the file contains no object of the required type");
  }
}
