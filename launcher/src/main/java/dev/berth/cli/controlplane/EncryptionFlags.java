package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.OptionSection;
import dev.berth.server.encryption.EncryptionConfigReader;
import dev.berth.server.encryption.ValueEncryption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flag about encryption at rest.
@OptionSection("Storage")
final class EncryptionFlags {
  private static final String FLAG = "--encryption-provider-config";

  @Option(
      names = FLAG,
      paramLabel = "FILE",
      description =
          "YAML file of kind EncryptionConfiguration (apiserver.config.k8s.io/v1) that lists"
              + " the resources to encrypt in the store, and their aesgcm keys. Default: objects are"
              + " not encrypted.")
  private @Nullable String configFile;

  ValueEncryption read(List<String> mistakes) {
    List<String> found = new ArrayList<>();
    Path file = FileFlag.readable(FLAG, configFile, "must be a YAML file", found);
    if (file == null || !found.isEmpty()) {
      mistakes.addAll(found);
      return ValueEncryption.NONE;
    }
    ValueEncryption read = EncryptionConfigReader.read(file, found);
    found.forEach(mistake -> mistakes.add("%s=%s: %s".formatted(FLAG, configFile, mistake)));
    return Objects.requireNonNullElse(read, ValueEncryption.NONE);
  }
}
