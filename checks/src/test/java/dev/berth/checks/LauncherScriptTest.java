package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./berth` in a directory with made-up builds and a JDK that only says how it was called.
final class LauncherScriptTest {
  @TempDir private Path directory;

  @BeforeEach
  void copyScripts() throws IOException {
    Path root = Sources.ofTheProject().root();
    Files.createDirectories(directory.resolve("scripts"));
    for (String name :
        List.of(
            "berth",
            "scripts/jdk.sh",
            "scripts/memory.sh",
            "scripts/dist.sh",
            "scripts/progress.sh")) {
      Files.copy(root.resolve(name), directory.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.createDirectories(directory.resolve("jdk/bin"));
    Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    executable("jdk/bin/javac", "#!/bin/sh\n");
    executable("jdk/bin/java", "#!/bin/sh\necho \"LC_ALL=$LC_ALL $*\"\nread end\n");
    build("build-1-1");
    Files.createSymbolicLink(directory.resolve(".berth/current"), Path.of("build-1-1"));
  }

  @Test
  void memoryThatIsExhaustedEndsTheProcess() throws Exception {
    Process berth = start();
    try (BufferedReader out = berth.inputReader()) {
      assertThat(out.readLine())
          .contains(" -XX:+ExitOnOutOfMemoryError ", " -cp " + directory)
          .endsWith("/.berth/build-1-1/lib/berth.jar dev.berth.cli.Main up --data-dir x");
    } finally {
      end(berth);
    }
  }

  @Test
  void namesOfFilesAreKnownWhateverTheLocale() throws Exception {
    Process berth = start();
    try (BufferedReader out = berth.inputReader()) {
      assertThat(out.readLine()).startsWith("LC_ALL=C.UTF-8 ");
    } finally {
      end(berth);
    }
  }

  @Test
  void aBuildThatRunsIsKeptAndRemovedAfterwards() throws Exception {
    Process berth = start();
    try (BufferedReader out = berth.inputReader()) {
      // Now the lock is held: the JDK is called after that.
      out.readLine();
      for (int i = 2; i <= 4; i++) {
        build("build-%d-1".formatted(i));
      }
      assertThat(removeOldBuilds()).containsExactly("build-1-1", "build-3-1", "build-4-1");
    } finally {
      end(berth);
    }
    assertThat(removeOldBuilds()).containsExactly("build-3-1", "build-4-1");
  }

  @Test
  void whoCannotBuildATreeOfAnotherUserIsToldSo() throws Exception {
    assumeThat(System.getProperty("user.name"))
        .as("only root can become another user")
        .isEqualTo("root");
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.filter(file -> !Files.isSymbolicLink(file)).toList()) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    Files.createDirectories(directory.resolve("api/src/main"));
    Files.writeString(directory.resolve("pom.xml"), "");
    Files.writeString(directory.resolve("api/pom.xml"), "");
    Files.setLastModifiedTime(
        directory.resolve(".berth/build-1-1/stamp"), FileTime.from(Instant.EPOCH));

    ProcessBuilder builder =
        new ProcessBuilder(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./berth", "version")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    Process berth = builder.start();
    String told = new String(berth.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(berth.waitFor()).isEqualTo(1);
    assertThat(told)
        .isEqualTo(
            "Berth cannot be built (first run, or sources changed): %1$s/.berth belongs to root, and nobody may not write there. Let that user run ./berth once, or take the tree: sudo chown -R nobody %1$s\n"
                .formatted(directory));
  }

  private void build(String name) throws IOException {
    Path build = Files.createDirectories(directory.resolve(".berth").resolve(name));
    Files.writeString(build.resolve("classpath"), "@/berth.jar\n");
    Files.writeString(build.resolve("stamp"), "");
  }

  private void executable(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Process start() throws IOException {
    ProcessBuilder berth =
        new ProcessBuilder(directory.resolve("berth").toString(), "up", "--data-dir", "x")
            .redirectErrorStream(true);
    berth.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    berth.environment().remove("BERTH_JAVA_OPTS");
    berth.environment().put("LC_ALL", "C");
    // Nothing here is newer than the build: there are no sources.
    Files.createDirectories(directory.resolve("api/src/main"));
    Files.writeString(directory.resolve("pom.xml"), "");
    Files.writeString(directory.resolve("api/pom.xml"), "");
    Files.setLastModifiedTime(
        directory.resolve(".berth/build-1-1/stamp"),
        FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
    return berth.start();
  }

  private static void end(Process berth) throws IOException, InterruptedException {
    berth.outputWriter().close();
    assertThat(berth.waitFor()).isNotNegative();
  }

  private List<String> removeOldBuilds() throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "ROOT=$0 DIST=$0/.berth && . \"$ROOT/scripts/dist.sh\" && remove_old_builds",
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEmpty();
    assertThat(bash.waitFor()).isZero();
    List<String> left = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(directory.resolve(".berth"), "build-*")) {
      entries.forEach(build -> left.add(build.getFileName().toString()));
    }
    left.sort(null);
    return left;
  }
}
