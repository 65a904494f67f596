package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.sim.profile.SimProfile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A short tour of a running `berth up`: the same pod under each runtime class.
public final class DemoTour {
  /// The classes of the low-level runtimes and of virtual machines; other classes may need nodes
  /// that the cluster does not have.
  private static final List<String> CLASSES = List.of("runc", "crun", "vm");

  /// The first pod in a virtual machine waits until a guest has booted and is saved as a template.
  private static final String READY_LIMIT = "--timeout=240s";

  private final PrintWriter out;
  private final List<DemoPod> pods;

  private DemoTour(PrintWriter out, List<DemoPod> pods) {
    this.out = out;
    this.pods = pods;
  }

  /// Runs the tour and returns whether every step succeeded.
  ///
  /// @param dataDir the data directory of `berth up`
  public static boolean run(Path dataDir, PrintWriter out) throws InterruptedException {
    Path kubeconfig = dataDir.resolve("admin.kubeconfig");
    DemoImage.bring(dataDir, out);
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth")) {
      return run(connection, KubectlRunner.find(kubeconfig, out), out);
    }
  }

  private static boolean run(
      ServerConnection connection, Optional<KubectlRunner> kubectl, PrintWriter out)
      throws InterruptedException {
    try {
      DemoTour demo = new DemoTour(out, pods(connection.client()));
      try (DemoNamespace _ = DemoNamespace.open(connection.client(), out)) {
        return kubectl.isPresent()
            ? demo.with(kubectl.get(), connection.client())
            : new PlainTour(connection.client(), out).run(demo.pods);
      }
    } catch (ClientException e) {
      throw connection.refusal("the tour cannot start with " + connection.server(), e);
    }
  }

  static List<DemoPod> pods(ApiClient client) {
    List<ObjectNode> nodes = client.json(ResourceType.NODES).list(ListQuery.ALL);
    boolean simulated = !nodes.isEmpty() && nodes.stream().allMatch(DemoTour::isSimulated);
    List<String> places =
        simulated || nodes.stream().noneMatch(DemoTour::isSimulated) ? List.of() : real(nodes);
    List<DemoPod> pods =
        CLASSES.stream()
            .filter(name -> hasClass(client, name))
            .map(name -> new DemoPod(name, simulated, places))
            .toList();
    return pods.isEmpty() ? List.of(new DemoPod("", simulated, places)) : pods;
  }

  /// The nodes that are not simulated, if there are both: simulated nodes offer any handler, and
  /// have no contents of images.
  private static List<String> real(List<ObjectNode> nodes) {
    return nodes.stream()
        .filter(node -> !isSimulated(node))
        .map(node -> node.path("metadata").path("labels").path(DemoPod.HOSTNAME).asText())
        .toList();
  }

  static boolean isSimulated(ObjectNode node) {
    String version = node.at("/status/nodeInfo/containerRuntimeVersion").asText();
    return RuntimeVersion.nameIn(version).equals(SimProfile.RUNTIME_NAME);
  }

  private static boolean hasClass(ApiClient client, String name) {
    return client.json(ResourceType.RUNTIME_CLASSES).find(new ObjectKey("", name)).isPresent();
  }

  /// Runs the tour with kubectl. Every failed step is reported, and the namespace is removed in any
  /// case.
  private boolean with(KubectlRunner kubectl, ApiClient client) throws InterruptedException {
    if (pods.getFirst().simulated()) {
      say(
          "The node is SIMULATED: no containers are started, and there is one runtime. With root and"
              + " containerd the same pod runs under runc and under crun.");
    }
    say("The RuntimeClasses of this cluster:");
    boolean good = kubectl.run("get", "runtimeclasses");
    say("A namespace for this tour, and the same pod with each RuntimeClass:");
    if (!kubectl.create(DemoNamespace.document())) {
      return false; // An existing namespace is not removed.
    }
    try (StartTimes times = StartTimes.watch(client)) {
      for (DemoPod pod : pods) {
        good &= kubectl.create(pod.document());
      }
      good &= kubectl.in("wait", "--for=condition=Ready", READY_LIMIT, "pod", "--all");
      good &= kubectl.in("get", "pods", "-o", "wide");
      if (!pods.getFirst().simulated()) {
        say("Side by side (a class of virtual machines has a kernel of its own):");
        out.print(new ComparedPods(kubectl, times).table(pods));
      }
      say("The logs of the pods, and a command in one:");
      for (DemoPod pod : pods) {
        good &= kubectl.in("logs", pod.name());
      }
      good &= kubectl.exec(pods.getLast());
    } finally {
      say("And away with it:");
      good &= kubectl.run("delete", "namespace", DemoPod.NAMESPACE, "--timeout=90s");
    }
    say(good ? "The tour is complete." : "Not every step succeeded; see above.");
    return good;
  }

  private void say(String text) {
    out.println();
    out.println(text);
    out.flush();
  }
}
