package dev.berth.bench.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// Writes the table of the benchmark of images.
///
/// A figure with an aim has it in its row; a dash means that the figure is only followed.
///
/// @param linuxMicros and `windowsMicros`: a choice from an index of twenty entries
/// @param checkMicros of an image that the runtime chooses
/// @param entryMicros of an image that the agent chooses
/// @param oneMillis a pull for one handler
/// @param twoMillis pulls for two handlers at the same time
record ImageReport(
    int rounds,
    int layerBytes,
    double linuxMicros,
    double windowsMicros,
    double checkMicros,
    double entryMicros,
    double oneMillis,
    double twoMillis,
    ImageBench.Requests requests,
    ImageBench.Steering steering) {
  void write(Path directory, Instant when) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve("images.md");
    Files.writeString(file, text(when));
    System.err.println("written: " + file);
  }

  private String text(Instant when) {
    return String.format(
        Locale.ROOT,
        """
        # Images, %s

        Made by `./dev bench images` on %d cores, on which everything runs: a simulated runtime behind a unix socket
        and a registry on the loopback interface. Figures are medians; pulls are %d rounds of %d bytes per entry.

        | what | figure | aim |
        |---|---|---|
        | choice from an index of 20 entries, Linux | %.3f us | below 20 us |
        | choice from an index of 20 entries, Windows | %.3f us | below 20 us |
        | steering of a pod whose image is known, namespace does not steer | %.1f us | - |
        | the same, selector chosen, 10 nodes | %.1f us | 50 us more than without |
        | the same, selector chosen, 1000 nodes | %.1f us | 50 us more than without |
        | the same, selector chosen, 10000 nodes | %.1f us | - |
        | check of a present image | %.0f us | - |
        | check of a present image whose entry the agent chose | %.0f us | - |
        | pull for one handler | %.1f ms | - |
        | pulls for two handlers at the same time | %.1f ms | - |
        | requests of a pull by name | %d | - |
        | requests of a pull by digest | %d | one more than by name at most |
        | requests of a resolution that is cached | %d | 0 |

        Steering looks at one node of each group of nodes with equal platforms, taints and labels that the pod selects
        by, so its time grows with the number of such groups (here six) and not with the number of nodes. After a
        change of a node's report the next pod groups all nodes again. Where no node runs the image without a
        RuntimeClass, or where the pod selects nodes by name, it looks at each node.
        """,
        when.truncatedTo(ChronoUnit.MINUTES),
        Runtime.getRuntime().availableProcessors(),
        rounds,
        layerBytes,
        linuxMicros,
        windowsMicros,
        steering.off(),
        steering.ten(),
        steering.thousand(),
        steering.tenThousand(),
        checkMicros,
        entryMicros,
        oneMillis,
        twoMillis,
        requests.byName(),
        requests.byDigest(),
        requests.again());
  }
}
