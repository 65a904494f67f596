package dev.berth.launch.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.process.LaunchException;
import dev.berth.launch.process.ListenAddress;
import dev.berth.launch.process.PortHolder;
import dev.berth.server.errors.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a start that failed is told.
final class ControlPlaneTest {
  @TempDir private Path directory;

  private String told(Exception failure) {
    ListenAddress listen =
        new ListenAddress(
            InetAddress.ofLiteral("127.0.0.1"),
            6443,
            "--secure-port",
            new PortHolder(directory.resolve("proc")));
    RuntimeException told = ControlPlane.explain(failure, directory, listen);
    assertThat(told).isInstanceOf(LaunchException.class);
    return String.valueOf(told.getMessage());
  }

  @Test
  void aFullDiskWantsSpace() {
    IOException full =
        new FileSystemException(directory + "/lock", null, "No space left on device");

    assertThat(told(new UncheckedIOException("data directory cannot be used", full)))
        .isEqualTo(
            "cannot start with data directory %1$s: %1$s/lock: No space left on device. Free space on the file system of %1$s, or choose another directory with --data-dir"
                .formatted(directory));
  }

  @Test
  void aStoreThatRefusesWhatAStartWritesIsToldInItsOwnWords() {
    assertThat(told(ApiException.unavailable("journal x cannot be used: it is full. Free space")))
        .isEqualTo(
            "cannot start with data directory %s: journal x cannot be used: it is full. Free space"
                .formatted(directory));
  }
}
