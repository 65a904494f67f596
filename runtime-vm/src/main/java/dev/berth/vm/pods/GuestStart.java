package dev.berth.vm.pods;

import dev.berth.api.Problem;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestConfig.GuestNetwork;
import dev.berth.vm.guest.model.GuestConfig.GuestRoute;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.machine.MachineSource;
import dev.berth.vm.machine.MachineSpec;
import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.network.InterfaceAddress;
import dev.berth.vm.network.PodAddresses;
import dev.berth.vm.network.PodInterface;
import dev.berth.vm.pods.rules.PodFilesRule;
import dev.berth.vm.pods.state.SandboxRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts the machine of a sandbox, and makes the guest the guest of its pod.
public final class GuestStart {
  private static final Logger log = LoggerFactory.getLogger(GuestStart.class);

  /// A clone answers in a fraction of a second; machines are busy at times.
  private static final Duration LIMIT_OF_CLONES = Duration.ofSeconds(20);

  /// A boot takes seconds, and much longer on a busy machine.
  private static final Duration LIMIT_OF_BOOTS = Duration.ofSeconds(60);

  private static final Path RESOLVER_OF_HOST = Path.of("/etc/resolv.conf");

  private final RuntimeParts parts;
  private final PodInventory inventory;
  private final ContainerReports reports;

  public GuestStart(RuntimeParts parts, PodInventory inventory, ContainerReports reports) {
    this.parts = parts;
    this.inventory = inventory;
    this.reports = reports;
  }

  /// Returns when the guest answers.
  ///
  /// @throws GuestException after which the machine is still to be removed
  public PodGuest start(LivePod pod, int user, PodInterface network) {
    SandboxRecord sandbox = pod.record();
    MachineSource source = parts.sources().source(sandbox.size(), sandbox.sharesMemory());
    VirtualMachine machine =
        parts
            .machines()
            .start(
                new MachineSpec(
                    sandbox.id(),
                    user,
                    sandbox.size(),
                    source,
                    network,
                    sandbox.config().getLinux().getCgroupParent()));
    PodGuest link = link(pod, machine);
    pod.guest(link);
    try {
      link.connect();
      return link;
    } catch (GuestException e) {
      throw new GuestException(e.kind(), unanswered(sandbox, machine, e), e);
    }
  }

  /// A connection to a machine, which is not made yet.
  PodGuest link(LivePod pod, VirtualMachine machine) {
    return new PodGuest(
        pod,
        machine,
        parts.opener(),
        reports,
        machine.sharesMemory() ? LIMIT_OF_CLONES : LIMIT_OF_BOOTS);
  }

  private static Problem unanswered(
      SandboxRecord sandbox, VirtualMachine machine, GuestException cause) {
    var pod = sandbox.config().getMetadata();
    String gone = machine.exit().map(exit -> "; the machine ended: " + exit.detail()).orElse("");
    String console = machine.console().strip();
    return new Problem(
        "the guest of pod %s/%s did not start".formatted(pod.getNamespace(), pod.getName()),
        cause.problem().why()
            + gone
            + (console.isEmpty() ? "" : "; its console ends with: " + console),
        "");
  }

  /// Gives a guest the identity of its pod. Both requests are under way at once: each is a round
  /// trip, and a pod waits for them.
  public void configure(LivePod pod, PodGuest guest, PodAddresses network) {
    SandboxRecord sandbox = pod.record();
    GuestAgent agent = guest.agent();
    FutureTask<String> files =
        new FutureTask<>(
            () ->
                agent.putTree(
                    PodFilesRule.TREE,
                    PodFilesRule.files(
                        sandbox.config(), addresses(network), network.dns(), resolverOfHost())),
            PodFilesRule.TREE);
    Thread.ofVirtual().name("pod-files-" + pod.id()).start(files);
    agent.configure(
        new GuestConfig(
            sandbox.config().getHostname(),
            network(network),
            sysctls(sandbox.config().getLinux().getSysctlsMap())),
        inventory.clock());
    await(files);
  }

  private static void await(FutureTask<String> request) {
    try {
      request.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a guest was configured", e);
    }
  }

  public static List<String> addresses(PodAddresses network) {
    return network.addresses().stream().map(InterfaceAddress::address).toList();
  }

  private static GuestNetwork network(PodAddresses network) {
    return new GuestNetwork(
        network.mac(),
        network.mtu(),
        network.addresses().stream()
            .map(address -> address.address() + "/" + address.prefixLength())
            .toList(),
        network.routes().stream()
            .map(route -> new GuestRoute(route.destination(), route.gateway()))
            .toList());
  }

  /// Names may use slashes as separators, and then have dots within their parts, which the guest
  /// does not take.
  private static Map<String, String> sysctls(Map<String, String> asked) {
    Map<String, String> sysctls = new HashMap<>();
    asked.forEach((name, value) -> sysctls.put(name.replace('/', '.'), value));
    return sysctls;
  }

  /// A host without the file resolves nothing, and neither do its pods.
  private static String resolverOfHost() {
    try {
      return Files.readString(RESOLVER_OF_HOST);
    } catch (IOException e) {
      log.debug("no resolver path={} reason={}", RESOLVER_OF_HOST, e.toString());
      return "";
    }
  }
}
