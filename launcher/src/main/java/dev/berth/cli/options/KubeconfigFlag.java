package dev.berth.cli.options;

import dev.berth.launch.process.DefaultDataDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flag that names the API server of a command.
public final class KubeconfigFlag {
  @OptionSection("Cluster")
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig file with which the API server is reached. Default: the file that the"
              + " environment variable KUBECONFIG names, otherwise admin.kubeconfig of `berth up`.")
  private @Nullable String kubeconfig;

  public Path path() {
    if (kubeconfig != null) {
      return Path.of(kubeconfig);
    }
    String fromEnvironment = System.getenv("KUBECONFIG");
    return fromEnvironment != null && !fromEnvironment.isEmpty()
        ? Path.of(fromEnvironment)
        : DefaultDataDir.ofThisUser().resolve("admin.kubeconfig");
  }

  /// The value of the flag; null if it is not set.
  public @Nullable Path given() {
    return kubeconfig == null ? null : Path.of(kubeconfig);
  }

  public List<String> mistakes() {
    return Files.isReadable(path())
        ? List.of()
        : List.of(
            "--kubeconfig=%s: cannot be read; start `berth up`, or name another file"
                .formatted(path()));
  }
}
