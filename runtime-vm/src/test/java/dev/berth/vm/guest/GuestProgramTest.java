package dev.berth.vm.guest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The guest program that is kept in the repository was built from the sources beside it.
final class GuestProgramTest {
  private static final Path SOURCES = Path.of("guest");
  private static final Path PROGRAM = Path.of("src/main/resources/dev/berth/vm/kernel/guest-init");

  private final List<String> builtFrom = readLines();

  @Test
  void theKeptProgramIsOfTheseSources() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(Files.readAllBytes(SOURCES.resolve("build.sh")));
    for (String ending : List.of("*.c", "*.h")) {
      for (Path source : sorted(ending)) {
        digest.update(Files.readAllBytes(source));
      }
    }
    assertThat(HexFormat.of().formatHex(digest.digest()))
        .as("run runtime-vm/guest/build.sh and commit what it makes")
        .isEqualTo(builtFrom.getFirst());
  }

  /// Only with the compiler and C library that built the kept program.
  @Test
  void buildingAgainMakesTheSameBytes(@TempDir Path directory) throws Exception {
    assumeTrue(builtFrom.get(1).equals(tools()), "another compiler or C library is installed");
    Path again = directory.resolve("guest-init");
    run("sh", SOURCES.resolve("build.sh").toString(), again.toAbsolutePath().toString());
    assertThat(again).hasSameBinaryContentAs(PROGRAM);
  }

  private static List<String> readLines() {
    try {
      return Files.readAllLines(Path.of(PROGRAM + ".sources"));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static List<Path> sorted(String ending) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(SOURCES, ending)) {
      found.forEach(sources::add);
    }
    Collections.sort(sources);
    return sources;
  }

  /// As `build.sh` writes it; empty without a compiler.
  private static String tools() throws IOException, InterruptedException {
    try {
      Path library = Path.of(run("gcc", "-print-file-name=libc.a"));
      Path compiler = Path.of(run("gcc", "-print-prog-name=cc1"));
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(Files.readAllBytes(library));
      digest.update(Files.readAllBytes(compiler));
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException | NoSuchAlgorithmException missing) {
      return "";
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
