package dev.berth.launch;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/// The runtimes that `berth agent` finds by itself, also those that an earlier start found: after a
/// restart of the machine the agent may be there before them, and their pods are theirs still.
///
/// @param folder the agent's
record KnownRuntimes(Path folder) {
  private static final String RECORD = "found-runtimes";

  /// Those that run here, and those that did; what is found is kept for the next start.
  List<RuntimeDeclaration> find(RuntimeFinder finder) throws IOException {
    Set<String> before = recorded();
    List<RuntimeDeclaration> all =
        finder.findAlso(one -> before.contains(one.endpoint().toString()));
    List<String> endpoints = all.stream().map(one -> one.endpoint().toString()).toList();
    if (!before.equals(Set.copyOf(endpoints))) {
      record(endpoints);
    }
    return all;
  }

  /// Somebody said by which ones they want to go.
  void forget() throws IOException {
    Files.deleteIfExists(folder.resolve(RECORD));
  }

  private Set<String> recorded() throws IOException {
    Path record = folder.resolve(RECORD);
    return Files.exists(record) ? Set.copyOf(Files.readAllLines(record)) : Set.of();
  }

  private void record(List<String> endpoints) throws IOException {
    Path data = folder.getParent();
    if (data != null) {
      PrivateFiles.createFolder(data);
    }
    PrivateFiles.createPrivateFolder(folder);
    Path draft = folder.resolve(RECORD + ".new");
    Files.write(
        draft,
        endpoints,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.DSYNC);
    Files.move(draft, folder.resolve(RECORD), StandardCopyOption.ATOMIC_MOVE);
  }
}
