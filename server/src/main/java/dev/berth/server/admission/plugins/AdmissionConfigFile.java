package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.YamlTrees;
import dev.berth.server.podsecurity.PodSecurityConfigReader;
import dev.berth.server.podsecurity.PodSecurityConfiguration;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Reads `--admission-control-config-file`: an `AdmissionConfiguration` whose plugins are
/// configured inline or in files of their own.
public final class AdmissionConfigFile {
  private static final String POD_SECURITY = "PodSecurity";
  private static final List<String> VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1");

  private final Path file;
  private final FieldErrors errors = new FieldErrors();

  private AdmissionConfigFile(Path file) {
    this.file = file;
  }

  /// Reads a file that exists.
  ///
  /// @param mistakes receives all errors in the file
  public static AdmissionConfig read(Path file, List<String> mistakes) {
    AdmissionConfigFile reader = new AdmissionConfigFile(file);
    AdmissionConfig config = reader.read();
    reader.errors.toList().stream().map(FieldError::toString).forEach(mistakes::add);
    return config;
  }

  private AdmissionConfig read() {
    JsonNode tree = parse(file, FieldPath.of("(file)"));
    if (!errors.isEmpty()) {
      return AdmissionConfig.STANDARD;
    }
    String version = tree.path("apiVersion").asText();
    if (!VERSIONS.contains(version)) {
      errors.notSupportedInOrder(FieldPath.of("apiVersion"), version, VERSIONS);
    }
    String kind = tree.path("kind").asText();
    if (!kind.equals("AdmissionConfiguration")) {
      errors.notSupported(FieldPath.of("kind"), kind, List.of("AdmissionConfiguration"));
    }
    PodSecurityConfiguration podSecurity = PodSecurityConfiguration.STANDARD;
    Set<String> seen = new TreeSet<>();
    JsonNode plugins = tree.path("plugins");
    for (int i = 0; i < plugins.size(); i++) {
      FieldPath at = FieldPath.of("plugins").index(i);
      String name = plugins.get(i).path("name").asText();
      if (!seen.add(name)) {
        errors.duplicate(at.child("name"), name);
      } else if (name.equals(POD_SECURITY)) {
        podSecurity = podSecurity(plugins.get(i), at);
      } else {
        errors.notSupported(at.child("name"), name, List.of(POD_SECURITY));
      }
    }
    return new AdmissionConfig(podSecurity);
  }

  private PodSecurityConfiguration podSecurity(JsonNode plugin, FieldPath at) {
    String path = plugin.path("path").asText();
    JsonNode configuration = plugin.path("configuration");
    if (!path.isEmpty() && configuration.isObject()) {
      errors.invalid(at.child("path"), path, "may not be set together with `configuration`");
    }
    if (configuration.isObject()) {
      return PodSecurityConfigReader.read(configuration, at.child("configuration"), errors);
    }
    if (path.isEmpty()) {
      return PodSecurityConfiguration.STANDARD;
    }
    int before = errors.size();
    // A relative path is relative to the configuration file, as upstream has it.
    JsonNode tree = parse(file.toAbsolutePath().resolveSibling(path), at.child("path"));
    return errors.size() > before
        ? PodSecurityConfiguration.STANDARD
        : PodSecurityConfigReader.read(tree, at.child("path"), errors);
  }

  private JsonNode parse(Path source, FieldPath at) {
    try {
      return YamlTrees.parse(Files.readAllBytes(source)).tree();
    } catch (IOException e) {
      errors.invalid(at, source.toString(), "must be a file that this user can read");
    } catch (JsonSyntaxException e) {
      errors.invalid(at, source.toString(), "must be YAML or JSON: " + e.getMessage());
    }
    return MissingNode.getInstance();
  }
}
