package dev.berth.server.auth;

import dev.berth.server.pki.ClusterPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;

/// An authority for tests that need one and do not care which.
final class TestCertificates {
  private TestCertificates() {}

  static X509Certificate authority() {
    try {
      Path directory = Files.createTempDirectory("pki");
      try {
        return ClusterPki.open(directory, Clock.systemUTC(), List.of()).authority();
      } finally {
        try (var files = Files.list(directory)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
