package dev.berth.launch.containerd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;

/// The network of the pods of one data directory: its own range of addresses, a pair of interfaces
/// per pod.
///
/// @param name unique on the machine
/// @param subnet such as `10.77.3.0/24`
record PodNetwork(String name, String subnet) {
  /// The number of /24 ranges from 10.64.0.0 to 10.127.255.0.
  private static final int RANGES = 64 * 256;

  private static final int FIRST = 10 << 24 | 64 << 16;

  /// The network of a directory: the recorded one, else a new one whose range overlaps no route of
  /// the machine. The record keeps the range stable, because running pods have addresses of it.
  ///
  /// @param routes as in `/proc/net/route`
  static PodNetwork of(Path directory, List<String> routes) throws IOException {
    int number = number(directory);
    String name = "berth-%08x".formatted(number);
    Path record = directory.resolve("subnet");
    if (Files.exists(record)) {
      return new PodNetwork(name, Files.readString(record).strip());
    }
    String subnet = choose(number, routes);
    Files.writeString(record, subnet + "\n");
    return new PodNetwork(name, subnet);
  }

  private static int number(Path directory) {
    CRC32 sum = new CRC32();
    sum.update(directory.toString().getBytes(StandardCharsets.UTF_8));
    return (int) sum.getValue();
  }

  static String choose(int number, List<String> routes) {
    for (int i = 0; i < RANGES; i++) {
      int base = FIRST + (Math.floorMod(number + i, RANGES) << 8);
      if (routes.stream().noneMatch(route -> meets(route, base))) {
        return "10.%d.%d.0/24".formatted(base >>> 16 & 0xff, base >>> 8 & 0xff);
      }
    }
    throw new IllegalStateException("every range from 10.64.0.0 to 10.127.255.0 is in use");
  }

  /// Whether a route overlaps a range. In a line, the second field is the route's destination and
  /// the eighth its mask, both in the byte order of memory. The default route counts as no overlap.
  private static boolean meets(String route, int base) {
    String[] fields = route.strip().split("\\s+", -1);
    if (fields.length < 8 || !fields[1].matches("[0-9A-F]{8}")) {
      return false;
    }
    // Both supported architectures, amd64 and arm64, are little-endian.
    int destination = Integer.reverseBytes(Integer.parseUnsignedInt(fields[1], 16));
    int mask = Integer.reverseBytes(Integer.parseUnsignedInt(fields[7], 16));
    int wider = mask & 0xffffff00;
    return mask != 0 && (destination & wider) == (base & wider);
  }

  /// The configuration for CNI.
  ///
  /// @param addresses the directory that records which pod has which address
  String conflist(Path addresses, boolean masquerade) {
    // The plugin for host ports uses iptables, like the masquerading.
    String ports =
        masquerade ? ", {\"type\": \"portmap\", \"capabilities\": {\"portMappings\": true}}" : "";
    return """
        {"cniVersion": "0.4.0", "name": "%s", "plugins": [{
          "type": "ptp", "ipMasq": %s,
          "ipam": {"type": "host-local", "dataDir": "%s",
            "ranges": [[{"subnet": "%s"}]], "routes": [{"dst": "0.0.0.0/0"}]}
        }%s]}
        """
        .formatted(name, masquerade, addresses, subnet, ports);
  }
}
