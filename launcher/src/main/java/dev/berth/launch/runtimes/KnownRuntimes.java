package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.PrivateFiles;
import dev.berth.launch.process.LineRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The runtimes that `berth agent` finds by itself, including those that an earlier start found:
/// after a restart of the machine the agent may start before them, and their pods still belong to
/// this node.
///
/// @param directory the agent's directory
public record KnownRuntimes(Path directory) {
  private static final String RECORD = "found-runtimes";

  /// Finds the runtimes that run here and those that did at an earlier start, and records them for
  /// the next start.
  public List<RuntimeDeclaration> find(RuntimeFinder finder) throws IOException {
    Set<String> before = record().read();
    List<RuntimeDeclaration> all =
        finder.findAlso(one -> before.contains(one.endpoint().toString()));
    List<String> endpoints = all.stream().map(one -> one.endpoint().toString()).toList();
    if (!before.equals(Set.copyOf(endpoints))) {
      keep(endpoints);
    }
    return all;
  }

  /// Removes the record: from now on an administrator names the runtimes.
  public void forget() throws IOException {
    record().remove();
  }

  private LineRecord record() {
    return new LineRecord(directory.resolve(RECORD));
  }

  private void keep(List<String> endpoints) throws IOException {
    Path data = directory.getParent();
    if (data != null) {
      PrivateFiles.createDirectory(data);
    }
    PrivateFiles.createPrivateDirectory(directory);
    record().replace(endpoints);
  }
}
