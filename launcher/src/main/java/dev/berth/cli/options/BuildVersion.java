package dev.berth.cli.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The version that the build wrote into this module.
public final class BuildVersion {
  private BuildVersion() {}

  public static String text() {
    try (InputStream in = BuildVersion.class.getResourceAsStream("version.txt")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
