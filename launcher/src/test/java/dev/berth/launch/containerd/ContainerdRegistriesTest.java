package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.RegistrySettings;
import dev.berth.registry.configuration.RegistryAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContainerdRegistriesTest {
  @TempDir private Path directory;

  @Test
  void withoutSettingsContainerdIsAsItWas() throws IOException {
    ContainerdRegistries registries =
        new ContainerdRegistries(RegistryAccess.USUAL, directory.resolve("copies"));

    registries.prepare();

    assertThat(registries.config()).isEmpty();
    assertThat(registries.environment()).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void containerdGetsTheHostsAndTheAuthorities() throws IOException {
    Path authority = Files.writeString(directory.resolve("ca.pem"), "one");
    Path copies = directory.resolve("copies");
    ContainerdRegistries registries =
        new ContainerdRegistries(
            new RegistryAccess(RegistrySettings.USUAL, authority, Path.of("/hosts")), copies);

    registries.prepare();
    String first = registries.config();
    Files.writeString(authority, "two");

    assertThat(first).contains("config_path = \"/hosts\"");
    assertThat(registries.config()).isNotEqualTo(first);
    assertThat(registries.environment()).containsEntry("SSL_CERT_DIR", "/etc/ssl/certs:" + copies);
    assertThat(copies.resolve("registry.pem")).hasContent("one");
  }
}
