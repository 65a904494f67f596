package dev.berth.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigFileTest {
  @Test
  void holdsServerAuthorityAndCredentialPrivately(@TempDir Path directory) throws Exception {
    ClusterPki pki = ClusterPki.open(directory, Clock.systemUTC(), List.of());
    KeyAndCertificate admin = pki.client(ClientIdentity.ADMIN);
    Path file = directory.resolve("admin.kubeconfig");
    KubeconfigFile.write(file, "https://[::1]:6443", pki.authorityPem(), "kubernetes-admin", admin);

    JsonNode config = new YAMLMapper().readTree(file.toFile());
    assertThat(config.at("/clusters/0/cluster/server").asText()).isEqualTo("https://[::1]:6443");
    assertThat(decoded(config, "/clusters/0/cluster/certificate-authority-data"))
        .isEqualTo(pki.authorityPem());
    assertThat(decoded(config, "/users/0/user/client-certificate-data"))
        .isEqualTo(admin.certificatePem());
    assertThat(decoded(config, "/users/0/user/client-key-data")).isEqualTo(admin.keyPem());
    assertThat(config.at("/current-context")).isEqualTo(config.at("/contexts/0/name"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void oneThatSaysTheSameIsLeftAlone(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("admin.kubeconfig");
    KubeconfigFile.write(file, "https://a:6443", "ca", "admin", "certificate", "key");
    Object first = key(file);

    KubeconfigFile.write(file, "https://a:6443", "ca", "admin", "certificate", "key");
    assertThat(key(file)).isEqualTo(first);

    KubeconfigFile.write(file, "https://b:6443", "ca", "admin", "certificate", "key");
    assertThat(file).content().contains("https://b:6443");
  }

  @Test
  void oneThatOthersMayReadIsMadePrivate(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("admin.kubeconfig");
    KubeconfigFile.write(file, "https://a:6443", "ca", "admin", "certificate", "key");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    KubeconfigFile.write(file, "https://a:6443", "ca", "admin", "certificate", "key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static String decoded(JsonNode config, String pointer) {
    return new String(
        Base64.getDecoder().decode(config.at(pointer).asText()), StandardCharsets.US_ASCII);
  }
}
