package dev.berth.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import dev.berth.launch.backup.BackupDirectory;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWrite;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupCommandsTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path backup = Path.of("");

  @BeforeEach
  void makeBackup() throws Exception {
    Path data = temp.resolve("data");
    try (EmbeddedStore<Integer> store =
        EmbeddedStore.open(
            data, (_, value) -> _ -> value.length, StoreLimits.DEFAULT, InstantSource.system())) {
      put(store, "namespaces/web", "{\"metadata\":{\"name\":\"web\"}}");
      put(
          store,
          "pods/web/a",
          "{\"metadata\":{\"name\":\"a\",\"namespace\":\"web\",\"labels\":{\"number\":\"7\"},\"managedFields\":[]},\"spec\":{}}");
      put(store, "pods/web/b", "{\"metadata\":{\"name\":\"b\",\"namespace\":\"web\"},\"spec\":{}}");
      put(store, "deployments.apps/default/shop", "{\"metadata\":{\"name\":\"shop\"}}");
      put(store, "secrets/web/key", "k8s:enc:aesgcm:v1:key1:xyz");
    }
    backup = temp.resolve("backups/one");
    new BackupDirectory(backup).fill(data);
  }

  private static void put(EmbeddedStore<Integer> store, String key, String value)
      throws InterruptedException {
    store.commit(new StoreWrite.Create(key, value.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void backupsAreListedWithTimeRevisionCountAndSize() throws Exception {
    Files.createDirectories(temp.resolve("backups/something-else"));

    assertThat(run("list", temp.resolve("backups").toString())).isZero();

    assertThat(out.toString().lines().toList())
        .satisfiesExactly(
            head -> assertThat(head).matches("NAME +MADE +REVISION +OBJECTS +SIZE +FROM"),
            one ->
                assertThat(one)
                    .matches("one +20\\S+T\\S+Z +6 +5 +\\d+Ki +" + temp.resolve("data")));
  }

  @Test
  void aDirectoryWithoutBackupsSaysHowOneIsMade() {
    assertThat(run("list", temp.toString())).isZero();
    assertThat(out.toString()).contains("data"); // A data directory can be listed and shown, too.

    out.getBuffer().setLength(0);
    assertThat(run("list", temp.resolve("data/pki").toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("cannot be listed", "Name a directory that contains backups");
  }

  @Test
  void contentsAreShownByKindNamespaceAndName() {
    run("show", backup.toString());
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "RESOURCE NAMESPACE OBJECTS",
            "deployments.apps default 1",
            "namespaces - 1",
            "pods web 2",
            "secrets web 1");

    out.getBuffer().setLength(0);
    run("show", backup.toString(), "po", "-n", "web");
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly("NAMESPACE NAME REVISION", "web a 3", "web b 4");
  }

  @Test
  void oneObjectIsShownAsYaml() {
    assertThat(run("show", backup.toString(), "Pod", "a", "--namespace=web")).isZero();

    assertThat(out.toString())
        .isEqualToIgnoringNewLines(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: a
              namespace: web
              labels:
                number: "7"
            spec: {}
            """);
  }

  @Test
  void whatIsNotThereIsToldWithWhatIs() {
    assertThat(run("show", backup.toString(), "pods", "a")).isEqualTo(1);
    assertThat(err.toString())
        .contains("namespace default has none of that name (namespaces that have one: web)");

    assertThat(run("show", backup.toString(), "gadgets")).isEqualTo(1);
    assertThat(err.toString())
        .contains("there is no such kind", "has: deployments.apps, namespaces, pods, secrets");
  }

  @Test
  void anEncryptedObjectSaysSo() {
    assertThat(run("show", backup.toString(), "secret", "key", "-n", "web")).isEqualTo(1);
    assertThat(err.toString())
        .contains("the object is encrypted at rest", "--encryption-provider-config");
  }

  @Test
  void aBackupIsRestoredToADirectory() {
    Path restored = temp.resolve("restored");
    assertThat(run("restore", backup.toString(), "--data-dir=" + restored)).isZero();
    assertThat(out.toString())
        .contains("5 objects at revision 6", "berth up --data-dir " + restored);

    assertThat(run("restore", backup.toString(), "--data-dir=" + restored)).isEqualTo(1);
    assertThat(err.toString()).contains("it is not empty");
  }

  @Test
  void withoutADirectoryTheCommandsAreNamed() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("DIR is missing", "list, show, restore");
  }

  private int run(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "backup";
    System.arraycopy(words, 0, all, 1, words.length);
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }
}
