package dev.berth.launch.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.launch.process.LaunchException;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWrite;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupDirectoryTest {
  @TempDir private Path temp;

  private static EmbeddedStore<Integer> open(Path directory) {
    return EmbeddedStore.open(
        directory, (_, value) -> _ -> value.length, StoreLimits.DEFAULT, InstantSource.system());
  }

  private Path usedDataDirectory() throws IOException, InterruptedException {
    Path data = temp.resolve("data");
    try (EmbeddedStore<Integer> store = open(data)) {
      store.commit(new StoreWrite.Create("secrets/a", "value".getBytes(StandardCharsets.UTF_8)));
    }
    for (String name : new String[] {"pki/ca.pem", "agent/runtimes.d/qemu.yaml", "agent/logs/x"}) {
      Path file = data.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "content of " + name);
    }
    return data;
  }

  @Test
  void objectsKeysAndRuntimesAreInItAndPrivate() throws Exception {
    Path target = temp.resolve("saved");
    Path data = usedDataDirectory();
    assertThat(new BackupDirectory(target).fill(data))
        .isEqualTo("1 objects at revision 2 and the keys of %s are in %s".formatted(data, target));

    assertThat(target.resolve("pki/ca.pem")).hasContent("content of pki/ca.pem");
    assertThat(target.resolve("agent/runtimes.d/qemu.yaml"))
        .hasContent("content of agent/runtimes.d/qemu.yaml");
    assertThat(target.resolve("agent/logs")).doesNotExist();
    try (Stream<Path> all = Files.walk(target)) {
      for (Path each : all.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .as(each.toString())
            .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
      }
    }
    try (EmbeddedStore<Integer> store = open(target)) {
      assertThat(store.get("secrets/a")).isNotNull();
    }
  }

  @Test
  void aRestoredDirectoryHasObjectsKeysAndRuntimesAndIsNoBackup() throws Exception {
    Path backup = temp.resolve("saved");
    new BackupDirectory(backup).fill(usedDataDirectory());
    Path restored = Files.createDirectory(temp.resolve("restored"));
    String before = listing(backup);

    assertThat(new BackupDirectory(backup).restore(restored))
        .isEqualTo(
            "1 objects at revision 2 and the keys of %s are in %s".formatted(backup, restored));

    assertThat(restored.resolve("pki/ca.pem")).hasContent("content of pki/ca.pem");
    assertThat(restored.resolve("agent/runtimes.d/qemu.yaml")).exists();
    assertThat(BackupRecord.read(restored)).isEmpty();
    assertThat(BackupRecord.read(backup)).isPresent();
    assertThat(listing(backup)).as("the backup stays as it is").isEqualTo(before);
    try (EmbeddedStore<Integer> store = open(restored)) {
      assertThat(store.get("secrets/a")).isNotNull();
    }
  }

  @Test
  void aDataDirectoryThatHasSomethingIsNeverOverwritten() throws Exception {
    Path backup = temp.resolve("saved");
    Path data = usedDataDirectory();
    new BackupDirectory(backup).fill(data);
    String before = listing(data);

    assertThatThrownBy(() -> new BackupDirectory(backup).restore(data))
        .isInstanceOf(LaunchException.class)
        .hasMessage(
            "%s was not restored to %s: it is not empty. Name a directory that is empty or does not exist with --data-dir; or stop the server and move %s away",
            backup, data, data);
    try (EmbeddedStore<Integer> _ = open(data)) {
      assertThatThrownBy(() -> new BackupDirectory(backup).restore(data))
          .hasMessageContaining("process %d", ProcessHandle.current().pid())
          .hasMessageContaining("uses it");
    }
    assertThat(listing(data).lines().toList())
        .containsAll(before.lines().filter(line -> !line.contains("objects.db-")).toList());
  }

  @Test
  void aDamagedBackupIsNotRestored() throws Exception {
    Path backup = temp.resolve("saved");
    new BackupDirectory(backup).fill(usedDataDirectory());
    Files.write(backup.resolve("objects.db"), new byte[100]);

    assertThatThrownBy(() -> new BackupDirectory(backup).restore(temp.resolve("restored")))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("is damaged");
    assertThat(temp).isDirectoryNotContaining("glob:**restored*");
  }

  private static String listing(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return String.join("\n", all.map(Path::toString).sorted().toList());
    }
  }

  @Test
  void aDirectoryThatExistsIsNotTouched() throws Exception {
    Path target = Files.createDirectory(temp.resolve("saved"));
    Path data = usedDataDirectory();
    assertThatThrownBy(() -> new BackupDirectory(target).fill(data))
        .isInstanceOf(LaunchException.class)
        .hasMessage(
            "no backup was made in %s: it exists already. Name a directory that does not exist yet",
            target);
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void aDataDirectoryWithoutObjectsIsTold() {
    Path data = temp.resolve("none");
    Path target = temp.resolve("saved");
    assertThatThrownBy(() -> new BackupDirectory(target).fill(data))
        .isInstanceOf(LaunchException.class)
        .hasMessage(
            "no backup was made in %s: data directory %s has no objects. Name the data directory of"
                + " the server with --data-dir; back up objects in etcd with `etcdctl snapshot save`",
            target, data);
  }

  @Test
  void whatFailsHalfwayLeavesNothing() throws Exception {
    Path data = usedDataDirectory();
    Files.write(data.resolve("objects.db"), new byte[100]);
    Path target = temp.resolve("saved");
    assertThatThrownBy(() -> new BackupDirectory(target).fill(data))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("objects.db");
    assertThat(temp).isDirectoryNotContaining("glob:**saved*");
  }
}
