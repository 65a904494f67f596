package dev.berth.agent.pods.staticpods;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which pods a directory of files asks for.
final class ManifestDirectoryTest {
  private static final String POD =
      """
      metadata: {name: web, labels: {a: b, c: d}}
      spec:
        containers: [{name: main, image: "busybox:1"}]
      """;

  @TempDir private Path directory;

  @Test
  void everyFileThatIsNotHiddenIsRead() throws Exception {
    write("web", POD);
    write("db.manifest", POD.replace("web", "db"));
    write("tool.json", "{\"metadata\": {\"name\": \"tool\"}, \"spec\": {\"containers\": []}}");
    write(".hidden.yaml", POD.replace("web", "hidden"));
    Files.createDirectory(directory.resolve("directory.yaml"));

    assertThat(names()).containsExactly("db-node-1", "tool-node-1", "web-node-1");
  }

  @Test
  void ofTwoFilesWithOnePodTheFirstCountsAndTheOtherIsTold() throws Exception {
    ManifestDirectory manifests = new ManifestDirectory(directory, "node-1");
    write("b.yaml", POD);
    var before = manifests.read();
    write("a.yaml", POD.replace("busybox:1", "busybox:2"));

    assertThat(manifests.read()).isEqualTo(before);

    assertThat(manifests.mistakes())
        .containsOnlyKeys(directory.resolve("a.yaml"))
        .containsValue(
            "pod default/web-node-1 is in %s already; give it another name"
                .formatted(directory.resolve("b.yaml")));
    Files.delete(directory.resolve("b.yaml"));
    assertThat(manifests.read()).hasSize(1);
    assertThat(manifests.mistakes()).isEmpty();
  }

  @Test
  void whatIsNoPodDoesNotKeepOthersFromRunning() throws Exception {
    write("a-empty", "");
    write("b-comment", "# nothing yet\n");
    write("c-text", "to do: [");
    write("d-list", "- 1\n- 2\n");
    write("e-nameless", "{metadata: {}, spec: {}}");
    write("f-odd", "{metadata: {name: [1]}, spec: 7}");
    Files.write(directory.resolve("g-binary"), new byte[] {0, -1, -2, 7});
    Files.write(
        directory.resolve("h-large"), " ".repeat(11 << 20).getBytes(StandardCharsets.UTF_8));
    write("web.yaml", POD);

    assertThat(names()).containsExactly("web-node-1");
  }

  @Test
  void aManifestWithAliasesIsRefusedAndNotRunWithTheirNames() throws Exception {
    write(
        "a.yaml",
        "metadata: {name: &n web}\nspec: {containers: [{name: *n, image: 'busybox:1'}]}\n");
    write("b.yaml", "x: &m {name: web}\nmetadata: {<<: *m}\nspec: {}\n");
    ManifestDirectory manifests = new ManifestDirectory(directory, "node-1");

    assertThat(manifests.read()).isEmpty();

    assertThat(manifests.mistakes().values())
        .hasSize(2)
        .anyMatch(
            why ->
                why.startsWith(
                    "\"*n\" is an alias, and aliases are not replaced in this file: write its value"
                        + " out"))
        .anyMatch(why -> why.startsWith("\"*m\" is an alias"));
  }

  @Test
  void whatIsWrongWithAFileIsToldInOneLineWithItsPlace() throws Exception {
    write("a-open", "metadata:\n  name: [web\nspec: {}\n");
    write("b-tab", "metadata:\n\tname: web\n");
    write("c-odd", "metadata: {name: web}\nspec: {containers: [{name: a, ports: 7}]}\n");
    write("d-nameless", "{metadata: {}, spec: {}}");
    ManifestDirectory manifests = new ManifestDirectory(directory, "node-1");

    assertThat(manifests.read()).isEmpty();

    assertThat(manifests.mistakes().values())
        .containsExactly(
            "while parsing a flow sequence, expected ',' or ']', but got : (line 3, column 5)",
            "while scanning for the next token, found character '\\t(TAB)' that cannot start any token."
                + " (Do not use \\t(TAB) for indentation) (line 2, column 1)",
            "Cannot deserialize value of type `ArrayList<ContainerPort>` from Integer value"
                + " (at spec.containers[0].ports)",
            "it is not a pod with metadata.name and spec");
  }

  @Test
  void namesThatNoApiServerWouldTakeAreRefused() throws Exception {
    write("a-name", POD.replace("web", "Web_1"));
    write("b-path", POD.replace("web", "../../web"));
    write("c-namespace", POD.replace("web,", "web, namespace: ../x,"));
    write("d-container", POD.replace("main", "main/1"));
    write("e-nameless", POD.replace("name: main, ", ""));
    write("f-twice", POD + "  initContainers: [{name: main, image: 'busybox:1'}]\n");
    write("g-long", POD.replace("web", "w".repeat(250)));
    ManifestDirectory manifests = new ManifestDirectory(directory, "node-1");

    assertThat(manifests.read()).isEmpty();

    String name =
        "must be at most 253 lower-case letters, digits, '-' and '.', together with the node's";
    String label = "must be at most 63 lower-case letters, digits and '-'";
    assertThat(manifests.mistakes().values())
        .containsExactly(
            "metadata.name=Web_1-node-1: " + name,
            "metadata.name=../../web-node-1: " + name,
            "metadata.namespace=../x: " + label,
            "a container's name=main/1: " + label,
            "a container's name=: " + label,
            "a container's name=main: is used twice",
            "metadata.name=%s-node-1: %s".formatted("w".repeat(250), name));
  }

  @Test
  void commentsAndTheOrderOfFieldsMakeNoOtherPod() throws Exception {
    write("web.yaml", POD);
    String uid = uid();
    write(
        "web.yaml",
        """
        # Somebody changed this.
        spec: {containers: [{image: busybox:1, name: main}]}
        metadata:
          labels: {c: d, a: b} # the same
          name: web
        """);
    assertThat(uid()).isEqualTo(uid);

    write("web.yaml", POD.replace("busybox:1", "busybox:2"));
    assertThat(uid()).isNotEqualTo(uid);
    write("web.yaml", POD);
    Files.move(directory.resolve("web.yaml"), directory.resolve("other.yaml"));
    assertThat(uid()).as("of another file").isNotEqualTo(uid);
  }

  @Test
  void aFileThatIsBeingWrittenKeepsItsPodForAWhile() throws Exception {
    ManifestDirectory manifests = new ManifestDirectory(directory, "node-1");
    write("web.yaml", POD);
    var before = manifests.read().keySet();

    write("web.yaml", "");
    for (int look = 0; look < ManifestDirectory.PATIENCE; look++) {
      assertThat(manifests.read().keySet()).isEqualTo(before);
    }
    assertThat(manifests.read()).as("it was not being written").isEmpty();
    assertThat(manifests.read()).isEmpty();

    write("web.yaml", POD);
    assertThat(manifests.read().keySet()).isEqualTo(before);
    write("web.yaml", POD.substring(0, 40));
    assertThat(manifests.read().keySet()).isEqualTo(before);
    Files.delete(directory.resolve("web.yaml"));
    assertThat(manifests.read()).as("a file that is gone is no file that is written").isEmpty();
  }

  private String uid() throws IOException {
    return new ManifestDirectory(directory, "node-1").read().keySet().iterator().next();
  }

  private List<String> names() throws IOException {
    return new ManifestDirectory(directory, "node-1")
        .read().values().stream().map(pod -> pod.getMetadata().getName()).toList();
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }
}
