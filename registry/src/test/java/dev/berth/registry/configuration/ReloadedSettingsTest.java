package dev.berth.registry.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.RegistrySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When changed files count.
final class ReloadedSettingsTest {
  @TempDir private Path hosts;
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void filesAreComparedAtMostOnceASecond() throws IOException {
    ReloadedSettings settings = open();
    write("quay.io", "[host.\"https://a.example.com\"]");

    assertThat(settings.get()).isSameAs(RegistrySettings.USUAL);
    assertThat(next(settings).endpoints()).containsOnlyKeys("quay.io");
    RegistrySettings same = settings.get();
    assertThat(next(settings)).isSameAs(same);
  }

  @Test
  void mistakeChangesNothingUntilItIsCorrected() throws IOException {
    write("quay.io", "[host.\"https://a.example.com\"]");
    ReloadedSettings settings = open();
    RegistrySettings before = settings.get();

    write("quay.io", "capabilities = 7");
    assertThat(next(settings)).isSameAs(before);
    write("quay.io", "[host.\"https://b.example.com\"]");

    assertThat(next(settings).endpoints().getOrDefault("quay.io", List.of()).getFirst().base())
        .hasToString("https://b.example.com");
  }

  @Test
  void authorityThatAFileNamesIsFollowed() throws IOException {
    Path authority = hosts.resolve(".own.pem");
    Files.writeString(authority, "no certificate");
    ReloadedSettings settings = open();
    write("quay.io", "ca = \"%s\"".formatted(authority));
    RegistrySettings before = settings.get();
    assertThat(next(settings)).isSameAs(before);

    Files.delete(hosts.resolve("quay.io/hosts.toml"));
    Files.delete(hosts.resolve("quay.io"));
    write("ghcr.io", "");

    assertThat(next(settings).endpoints()).containsOnlyKeys("ghcr.io");
  }

  @Test
  void programWithoutFilesLooksAtNone() {
    ReloadedSettings settings = new ReloadedSettings(RegistryAccess.USUAL, nanos::get);

    assertThat(next(settings)).isSameAs(RegistrySettings.USUAL);
  }

  private ReloadedSettings open() {
    return new ReloadedSettings(
        new RegistryAccess(RegistrySettings.USUAL, null, hosts), nanos::get);
  }

  private RegistrySettings next(ReloadedSettings settings) {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    return settings.get();
  }

  private void write(String host, String text) throws IOException {
    Path file = Files.createDirectories(hosts.resolve(host)).resolve("hosts.toml");
    Files.writeString(file, text);
  }
}
