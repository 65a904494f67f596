package dev.berth.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Flags that name a file which must exist.
public final class FileFlag {
  private FileFlag() {}

  public static @Nullable Path pem(String flag, @Nullable String file, List<String> mistakes) {
    return readable(flag, file, "must be a PEM file", mistakes);
  }

  /// The file, or a mistake when it is not there or not readable; null when none is named.
  ///
  /// @param must what it has to be, for the mistake
  public static @Nullable Path readable(
      String flag, @Nullable String file, String must, List<String> mistakes) {
    if (file == null) {
      return null;
    }
    Path path = Path.of(file).toAbsolutePath();
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      mistakes.add(flag + "=" + file + ": " + must + " that this user can read");
    }
    return path;
  }

  public static void requireBoth(
      String certificateFlag,
      @Nullable Path certificate,
      String keyFlag,
      @Nullable Path key,
      List<String> mistakes) {
    if ((certificate == null) != (key == null)) {
      mistakes.add(
          "%s: needs %s as well, a certificate is no use without its key"
              .formatted(
                  certificate == null ? keyFlag : certificateFlag,
                  certificate == null ? certificateFlag : keyFlag));
    }
  }
}
