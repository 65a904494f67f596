package dev.berth.launch.containerd;

import dev.berth.api.PrivateFiles;
import dev.berth.registry.configuration.RegistryAccess;
import dev.berth.registry.transport.ContentDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// How a private containerd reaches registries: by the same directory of hosts as the agent, and by
/// the same authorities.
///
/// containerd has no setting for authorities that all registries have in common, but Go reads
/// certificates from the directories of a variable.
///
/// @param copies the directory that gets a copy of the authorities, because the variable names
///   directories
record ContainerdRegistries(RegistryAccess access, Path copies) {
  private static final String VARIABLE = "SSL_CERT_DIR";
  private static final String OF_THE_SYSTEM = "/etc/ssl/certs";

  /// An addition to the configuration file, empty without settings. It has the digest of the
  /// authorities, because containerd reads them at its start: other ones must restart it.
  String config() throws IOException {
    Path hosts = access.hosts();
    Path authority = access.authority();
    String text =
        hosts == null
            ? ""
            : """
        [plugins."io.containerd.grpc.v1.cri".registry]
          config_path = "%s"
        """
                .formatted(hosts);
    return authority == null
        ? text
        : text + "# authorities " + ContentDigest.of(Files.readAllBytes(authority)) + "\n";
  }

  Map<String, String> environment() {
    return access.authority() == null ? Map.of() : Map.of(VARIABLE, OF_THE_SYSTEM + ":" + copies);
  }

  void prepare() throws IOException {
    Path authority = access.authority();
    if (authority != null) {
      PrivateFiles.createPrivateDirectory(copies);
      PrivateFiles.replace(copies.resolve("registry.pem"), Files.readString(authority));
    }
  }
}
