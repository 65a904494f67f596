package dev.berth.vm.kernel;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// The content of a kernel module. The guest program loads modules as they are, so compressed ones
/// are expanded here, by the host's own programs: the JDK knows neither xz nor zstd.
final class ModuleFile {
  private static final Map<String, List<String>> PROGRAMS =
      Map.of(".xz", List.of("xz", "-dc"), ".zst", List.of("zstd", "-dcq"));
  private static final int LARGEST = 1 << 26;

  private ModuleFile() {}

  static byte[] read(Path file) {
    String name = file.getFileName().toString();
    try {
      if (name.endsWith(".ko")) {
        return Files.readAllBytes(file);
      }
      if (name.endsWith(".gz")) {
        try (InputStream input = new GZIPInputStream(Files.newInputStream(file))) {
          return input.readNBytes(LARGEST);
        }
      }
      List<String> program = PROGRAMS.get(name.substring(name.lastIndexOf('.')));
      if (program == null) {
        throw failure(file, "its compression is unknown", null);
      }
      return expand(program, file);
    } catch (IOException failure) {
      throw failure(file, failure.toString(), failure);
    }
  }

  private static byte[] expand(List<String> program, Path file) throws IOException {
    Process process =
        new ProcessBuilder(program)
            .redirectInput(file.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (InputStream output = process.getInputStream()) {
      byte[] bytes = output.readNBytes(LARGEST);
      if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw failure(file, "`%s` failed".formatted(String.join(" ", program)), null);
      }
      return bytes;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failure(file, "interrupted", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }

  private static KernelException failure(Path file, String why, @Nullable Throwable cause) {
    return new KernelException(
        new Problem(
            "kernel module %s cannot be read".formatted(file),
            why,
            "Install what expands it (Debian: xz-utils or zstd), or expand the module"),
        cause);
  }
}
