package dev.berth.launch.process;

import dev.berth.store.ProcessCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds out which process listens on a TCP port, as far as `/proc` lets this user see it.
public final class PortHolder {
  private static final String LISTEN = "0A";

  private final Path proc;

  public PortHolder(Path proc) {
    this.proc = proc;
  }

  /// Describes the process that listens, such as `process 4711 (etcd --name a)`; empty when there
  /// is none.
  public Optional<String> describe(InetAddress address, int port) {
    Map<String, String> userOfInode = new HashMap<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : lines(proc.resolve(table))) {
        // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ...
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > 9
            && columns[3].equals(LISTEN)
            && isInTheWay(columns[1], address, port)) {
          userOfInode.put("socket:[" + columns[9] + "]", columns[7]);
        }
      }
    }
    if (userOfInode.isEmpty()) {
      return Optional.empty();
    }
    List<String> holders = described(userOfInode.keySet());
    return Optional.of(
        holders.isEmpty()
            ? "a process of user id " + String.join(", ", userOfInode.values())
            : String.join(", ", holders));
  }

  /// Describes the process that listens at a socket in the file system; empty also when this user
  /// may not see it. A server may have bound the socket under a name with `~` and renamed it, and
  /// the kernel keeps showing the name at the bind.
  public Optional<String> describe(Path socket) {
    List<String> holders = described(inodes(List.of(socket.toString(), socket + "~")));
    return holders.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", holders));
  }

  /// The directories in `/proc` of the processes that hold any of these sockets, as far as this
  /// user sees them.
  public List<Path> processes(Set<Path> sockets) {
    return holders(inodes(sockets.stream().map(Path::toString).toList()));
  }

  private Set<String> inodes(List<String> names) {
    Set<String> inodes = new HashSet<>();
    for (String line : lines(proc.resolve("net/unix"))) {
      // Num RefCount Protocol Flags Type St Inode Path
      String[] columns = line.strip().split("\\s+", 8);
      if (columns.length == 8 && names.contains(columns[7])) {
        inodes.add("socket:[" + columns[6] + "]");
      }
    }
    return inodes;
  }

  private List<String> described(Set<String> inodes) {
    return holders(inodes).stream()
        .map(process -> "process %s (%s)".formatted(process.getFileName(), command(process)))
        .toList();
  }

  private List<Path> holders(Set<String> inodes) {
    return inodes.isEmpty()
        ? List.of()
        : children(proc, "[0-9]*").stream().filter(process -> holdsAny(process, inodes)).toList();
  }

  private static String command(Path process) {
    String words = ProcessCommand.of(process);
    return words.isEmpty() ? "command unknown" : words;
  }

  /// A listener on all addresses conflicts with every address, and a wildcard address conflicts
  /// with every listener.
  private static boolean isInTheWay(String local, InetAddress wanted, int port) {
    int colon = local.indexOf(':');
    if (Integer.parseInt(local.substring(colon + 1), 16) != port) {
      return false;
    }
    InetAddress address = address(local.substring(0, colon));
    return address.isAnyLocalAddress() || wanted.isAnyLocalAddress() || address.equals(wanted);
  }

  /// Reads an address of `/proc/net/tcp`: words of four bytes, each in the byte order of the
  /// machine.
  private static InetAddress address(String hex) {
    ByteBuffer bytes = ByteBuffer.allocate(hex.length() / 2).order(ByteOrder.nativeOrder());
    for (int at = 0; at + 8 <= hex.length(); at += 8) {
      bytes.putInt(Integer.parseUnsignedInt(hex.substring(at, at + 8), 16));
    }
    try {
      return InetAddress.getByAddress(bytes.array());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("no address: " + hex, e);
    }
  }

  private static boolean holdsAny(Path process, Set<String> inodes) {
    for (Path descriptor : children(process.resolve("fd"), "*")) {
      try {
        if (inodes.contains(Files.readSymbolicLink(descriptor).toString())) {
          return true;
        }
      } catch (IOException e) {
        // Closed meanwhile, or not ours to see.
      }
    }
    return false;
  }

  private static List<Path> children(Path directory, String glob) {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
      stream.forEach(children::add);
    } catch (IOException e) {
      return children; // the process ended, or belongs to somebody else
    }
    return children;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of();
    }
  }
}
