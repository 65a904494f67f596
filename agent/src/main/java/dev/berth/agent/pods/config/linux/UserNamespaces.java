package dev.berth.agent.pods.config.linux;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.cri.v1.IDMapping;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.UserNamespace;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// Assigns pods with `hostUsers: false` a range of user and group ids of the node that no other pod
/// has.
///
/// The range is written to the pod's directory, in the kubelet's format, before it is used: so it
/// survives a restart of the agent, and is free again when the directory is gone.
final class UserNamespaces {
  /// The number of ids per pod. The first range belongs to the node.
  static final int LENGTH = 1 << 16;

  private static final String FILE = "userns";

  /// Ids have 32 bits, and the last one is reserved by the kernel as invalid.
  private static final int MOST = (1 << 16) - 2;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final Path pods;
  private final ReentrantLock lock = new ReentrantLock();

  /// @param pods the directory with the agent's files of each pod
  UserNamespaces(Path pods) {
    this.pods = pods;
  }

  /// The pod's mapping; empty for a pod that shares the node's users.
  ///
  /// @throws ConfigException when no range is free or readable
  Optional<UserNamespace> of(Pod pod) {
    if (!Boolean.FALSE.equals(pod.getSpec().getHostUsers())) {
      return Optional.empty();
    }
    lock.lock();
    try {
      Path file = pods.resolve(pod.getMetadata().getUid()).resolve(FILE);
      long first = Files.exists(file) ? read(file) : allocate(file);
      IDMapping ids = IDMapping.newBuilder().setHostId((int) first).setLength(LENGTH).build();
      return Optional.of(
          UserNamespace.newBuilder().setMode(NamespaceMode.POD).addUids(ids).addGids(ids).build());
    } catch (IOException e) {
      throw new ConfigException("user namespace: " + e);
    } finally {
      lock.unlock();
    }
  }

  private long allocate(Path file) throws IOException {
    BitSet taken = new BitSet();
    taken.set(0);
    for (Path other : files()) {
      taken.set((int) (read(other) / LENGTH));
    }
    int free = taken.nextClearBit(0);
    if (free > MOST) {
      throw new ConfigException("user namespace: all id ranges of the node are in use");
    }
    long first = (long) free * LENGTH;
    write(file, first);
    return first;
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(pods)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(pods)) {
      return all.map(directory -> directory.resolve(FILE)).filter(Files::exists).toList();
    }
  }

  private static long read(Path file) throws IOException {
    JsonNode first = MAPPER.readTree(Files.readAllBytes(file)).at("/uidMappings/0/hostId");
    if (!first.isIntegralNumber() || first.asLong() % LENGTH != 0 || first.asLong() <= 0) {
      throw new IOException(file + " does not contain the pod's id range");
    }
    return first.asLong();
  }

  private static void write(Path file, long first) throws IOException {
    ObjectNode tree = MAPPER.createObjectNode();
    for (String field : List.of("uidMappings", "gidMappings")) {
      tree.putArray(field)
          .addObject()
          .put("hostId", first)
          .put("containerId", 0)
          .put("length", LENGTH);
    }
    Files.createDirectories(file.getParent());
    Path whole = file.resolveSibling(FILE + ".new");
    try (FileOutputStream out = new FileOutputStream(whole.toFile())) {
      out.write(MAPPER.writeValueAsBytes(tree));
      out.getFD().sync();
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
