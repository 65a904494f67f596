package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// Writes the table of the benchmark of images.
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
    ImageBench.Requests requests) {
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
        | check of a present image | %.0f us | - |
        | check of a present image whose entry the agent chose | %.0f us | - |
        | pull for one handler | %.1f ms | - |
        | pulls for two handlers at the same time | %.1f ms | - |
        | requests of a pull by name | %d | - |
        | requests of a pull by digest | %d | one more than by name at most |
        | requests of a resolution that is cached | %d | 0 |
        """,
        when.truncatedTo(ChronoUnit.MINUTES),
        Runtime.getRuntime().availableProcessors(),
        rounds,
        layerBytes,
        linuxMicros,
        windowsMicros,
        checkMicros,
        entryMicros,
        oneMillis,
        twoMillis,
        requests.byName(),
        requests.byDigest(),
        requests.again());
  }
}
