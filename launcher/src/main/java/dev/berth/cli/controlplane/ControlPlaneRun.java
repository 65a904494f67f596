package dev.berth.cli.controlplane;

import dev.berth.cli.options.BuildVersion;
import dev.berth.cli.options.LogVerbosity;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.controlplane.StoreChoice;
import dev.berth.launch.process.ProcessLifetime;
import java.io.PrintWriter;

/// What `up` and `server` share: start the control plane, print where it is, run until a signal.
final class ControlPlaneRun {
  private ControlPlaneRun() {}

  static int run(LaunchConfig config, int verbosity, PrintWriter out) throws InterruptedException {
    LogVerbosity.set(verbosity);
    ControlPlane plane = ControlPlane.start(config);
    ProcessLifetime.untilSignal(plane, out, greeting(config, plane), () -> farewell(config, plane));
    return 0;
  }

  private static String greeting(LaunchConfig config, ControlPlane plane) {
    return """
        Berth %s is ready.

          API server   %s
          kubeconfig   %s
          data         %s (%s)
        %s
        Try      kubectl --kubeconfig %s get ns
        Stop     Ctrl-C%s
        """
        .formatted(
            BuildVersion.text(),
            plane.url(),
            plane.kubeconfig(),
            config.dataDir(),
            storeName(config.store()),
            plane.node().map(node -> "  node         " + node + "\n").orElse(""),
            plane.kubeconfig(),
            plane.podsRunOn() ? "; pods keep running until `berth down`" : "");
  }

  private static String farewell(LaunchConfig config, ControlPlane plane) {
    return plane.podsRunOn()
        ? "Stopping. Pods keep running; to stop them: berth down --data-dir %s"
            .formatted(config.dataDir())
        : "Stopping.";
  }

  private static String storeName(StoreChoice store) {
    return switch (store) {
      case StoreChoice.Embedded _ -> "objects in SQLite";
      case StoreChoice.Etcd(var servers, _, _, _, _) -> "objects in etcd at " + servers.getFirst();
    };
  }
}
