package dev.berth.launch.demo;

import dev.berth.agent.runtimes.admin.AdminAnswer;
import dev.berth.agent.runtimes.admin.AdminClient;
import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.admin.ServiceEntry;
import dev.berth.launch.containerd.images.ImageLoading;
import dev.berth.launch.containerd.images.LocalImages;
import dev.berth.launch.containerd.programs.ContainerdException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/// Loads the image of the tour into containerds that Berth did not start, because no registry has
/// it.
final class DemoImage {
  private DemoImage() {}

  /// Loads the image where it is missing. A failure is only printed, because the tour may not need
  /// that containerd.
  ///
  /// @param dataDir the data directory of `berth up`
  static void bring(Path dataDir, PrintWriter out) {
    AdminClient agent = new AdminClient(Places.below(dataDir.resolve("agent")).socket());
    if (agent.ask(new AdminRequest.List(), _ -> {}) instanceof AdminAnswer.Services found
        && agent.ask(new AdminRequest.Images(), _ -> {}) instanceof AdminAnswer.Images images) {
      for (ServiceEntry service : without(found, images)) {
        out.printf("%n%s has no image %s yet:%n", service.name(), LocalImages.DEMO);
        Path socket = service.imageSocket().orElseThrow();
        try {
          ImageLoading.loadDemo(socket).forEach(line -> out.println("  " + line));
        } catch (ContainerdException e) {
          out.println("  " + e.problem());
        }
        out.flush();
      }
    }
  }

  private static List<ServiceEntry> without(
      AdminAnswer.Services services, AdminAnswer.Images images) {
    return services.services().stream()
        .filter(service -> service.runsContainerd() && service.imageSocket().isPresent())
        .filter(
            service ->
                images.images().stream()
                    .noneMatch(
                        image ->
                            image.service().equals(service.name())
                                && image.names().contains(LocalImages.DEMO)))
        .toList();
  }
}
