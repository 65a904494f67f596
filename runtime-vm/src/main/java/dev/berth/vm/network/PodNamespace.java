package dev.berth.vm.network;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The network namespace of one pod. Programs of iproute2 and util-linux change it, with all
/// changes of a step in one run: each run costs two to three milliseconds.
record PodNamespace(Path file, NetworkProgram program) {
  /// The tap device in each namespace.
  static final String TAP = "tap0";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int USUAL_MTU = 1500;

  /// The namespace forwards nothing, and its own network code takes no part in what arrives at the
  /// tap device. Some systems have no IPv6, or do not let anybody change settings; the rules of
  /// `tc` keep frames away from that code in any case.
  private static final String PREPARE =
      """
      echo 0 >/proc/sys/net/ipv4/ip_forward
      ip -batch - || exit
      echo 1 >/proc/sys/net/ipv6/conf/%s/disable_ipv6
      exit 0
      """
          .formatted(TAP);

  /// Makes the namespace and keeps it by a mount on the file.
  void make(int owner) throws IOException {
    String devices =
        """
        tuntap add dev %s mode tap user %d vnet_hdr
        link set dev %s arp off up
        """
            .formatted(TAP, owner, TAP);
    run(List.of("unshare", "--net=" + file, "sh", "-c", PREPARE), devices);
  }

  /// What the plugins made, with the routes of both families.
  GuestAddressing read(JsonNode result) throws IOException {
    String questions =
        """
        link show dev %1$s
        route show dev %1$s
        route show root ::/0 dev %1$s
        """
            .formatted(PluginCalls.DEVICE);
    String answers = inside(List.of("ip", "-j", "-batch", "-"), questions);
    try (JsonParser documents = JSON.createParser(answers)) {
      JsonNode device = JSON.<JsonNode>readTree(documents).path(0);
      List<JsonNode> routes = new ArrayList<>();
      JSON.<JsonNode>readTree(documents).forEach(routes::add);
      JSON.<JsonNode>readTree(documents).forEach(routes::add);
      return new GuestAddressing(result, device, routes);
    }
  }

  /// Joins the device of the plugins with the tap device.
  void join(PodAddresses addresses) throws IOException {
    if (addresses.mtu() != USUAL_MTU) {
      inside(
          List.of("ip", "link", "set", "dev", TAP, "mtu", Integer.toString(addresses.mtu())), "");
    }
    inside(List.of("tc", "-batch", "-"), new TapRules(addresses, PluginCalls.DEVICE, TAP).text());
  }

  /// Removes what [#join] made; nothing may be there.
  void separate() throws IOException {
    // Without the queues their filters are gone. A failure means that there was none.
    String queues =
        "qdisc del dev %s ingress\nqdisc del dev %s ingress\n".formatted(PluginCalls.DEVICE, TAP);
    program.run(nsenter(List.of("tc", "-force", "-batch", "-")), Map.of(), queues);
  }

  /// Removes the mount. The namespace ends with the last process in it.
  void remove() throws IOException {
    run(List.of("umount", "--lazy", file.toString()), "");
  }

  private String inside(List<String> command, String input) throws IOException {
    return run(nsenter(command), input);
  }

  private List<String> nsenter(List<String> command) {
    List<String> all = new ArrayList<>(List.of("nsenter", "--net=" + file));
    all.addAll(command);
    return all;
  }

  private String run(List<String> command, String input) throws IOException {
    ProgramOutput done = program.run(command, Map.of(), input);
    if (!done.succeeded()) {
      throw new IOException("`%s`: %s".formatted(String.join(" ", command), done.complaint()));
    }
    return done.output();
  }
}
