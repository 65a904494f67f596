package dev.berth.cli.node;

import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.OptionSection;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.configuration.RegistryAccess;
import dev.berth.registry.configuration.RegistryHosts;
import dev.berth.registry.configuration.ReloadedSettings;
import dev.berth.registry.transport.ProxySettings;
import dev.berth.registry.transport.TrustedAuthorities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags about image registries, and the one place that makes their settings.
@OptionSection("Registry")
public final class RegistryFlags {
  private static final String AUTHORITY = "--registry-ca";
  private static final String HOSTS = "--registry-hosts";

  @ConfigKey("registryCAFile")
  @Option(
      names = AUTHORITY,
      paramLabel = "FILE",
      defaultValue = "",
      description =
          "PEM file with certificate authorities of image registries, which are trusted in addition"
              + " to those of the JDK.")
  private String authority = "";

  @ConfigKey("registryHostsDirectory")
  @Option(
      names = HOSTS,
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Directory with mirrors and certificate authorities of image registries in the layout of"
              + " containerd's certs.d: HOST/hosts.toml for each registry, _default/hosts.toml for"
              + " all others. docs/images.md describes the format.")
  private String hosts = "";

  /// The checked values, with the proxies of the environment; incomplete when there are mistakes.
  public RegistrySettings read(List<String> mistakes) {
    return read(ConfigFile.NONE, mistakes).settings();
  }

  /// The same for a program that runs long: changed files count without a restart.
  public Supplier<RegistrySettings> reloaded(List<String> mistakes) {
    return new ReloadedSettings(read(ConfigFile.NONE, mistakes), System::nanoTime);
  }

  RegistryAccess read(ConfigFile file, List<String> mistakes) {
    RegistrySettings settings =
        RegistrySettings.USUAL.withProxies(ProxySettings.ofEnvironment(System.getenv()));
    List<Path> authorities = new ArrayList<>();
    String ca = file.value(AUTHORITY, authority, "");
    if (!ca.isEmpty()) {
      Path pem = readAuthority(ca, mistakes);
      if (pem != null) {
        authorities.add(pem);
      }
    }
    if (!authorities.isEmpty()) {
      settings = trusting(settings, authorities, mistakes);
    }
    String directory = file.value(HOSTS, hosts, "");
    if (!directory.isEmpty()) {
      settings = mirrored(settings, directory, authorities, mistakes);
    }
    return new RegistryAccess(
        settings,
        authorities.isEmpty() ? null : authorities.getFirst(),
        directory.isEmpty() ? null : Path.of(directory).toAbsolutePath());
  }

  private static @Nullable Path readAuthority(String file, List<String> mistakes) {
    List<String> wrong = new ArrayList<>();
    Path pem = FileFlag.pem(AUTHORITY, file, wrong);
    mistakes.addAll(wrong);
    return wrong.isEmpty() ? pem : null;
  }

  private static RegistrySettings trusting(
      RegistrySettings settings, List<Path> authorities, List<String> mistakes) {
    try {
      return settings.withTrust(TrustedAuthorities.with(authorities));
    } catch (IOException | GeneralSecurityException e) {
      mistakes.add(
          "%s=%s: must be a PEM file with certificates: %s"
              .formatted(AUTHORITY, authorities.getFirst(), e.getMessage()));
      authorities.clear();
      return settings;
    }
  }

  private static RegistrySettings mirrored(
      RegistrySettings settings, String text, List<Path> authorities, List<String> mistakes) {
    Path directory = Path.of(text).toAbsolutePath();
    if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
      mistakes.add("%s=%s: must be a directory that this user can read".formatted(HOSTS, text));
      return settings;
    }
    List<String> wrong = new ArrayList<>();
    RegistrySettings mirrored =
        settings.withEndpoints(RegistryHosts.read(directory, authorities, wrong));
    wrong.forEach(one -> mistakes.add("%s=%s: %s".formatted(HOSTS, text, one)));
    return mirrored;
  }
}
