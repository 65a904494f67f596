package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
import dev.berth.launch.controlplane.StoreChoice;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The flags of `--store etcd`, as text.
record EtcdFlags(
    @Nullable String servers,
    @Nullable String prefix,
    @Nullable String caFile,
    @Nullable String certFile,
    @Nullable String keyFile) {

  /// Names of the flags that are set.
  List<String> given() {
    List<String> given = new ArrayList<>();
    addIfGiven(given, "--etcd-servers", servers);
    addIfGiven(given, "--etcd-prefix", prefix);
    addIfGiven(given, "--etcd-cafile", caFile);
    addIfGiven(given, "--etcd-certfile", certFile);
    addIfGiven(given, "--etcd-keyfile", keyFile);
    return given;
  }

  StoreChoice.Etcd read(List<String> mistakes) {
    List<URI> urls = readServers(mistakes);
    String below = readPrefix(mistakes);
    Path ca = FileFlag.pem("--etcd-cafile", caFile, mistakes);
    Path cert = FileFlag.pem("--etcd-certfile", certFile, mistakes);
    Path key = FileFlag.pem("--etcd-keyfile", keyFile, mistakes);
    FileFlag.requireBoth("--etcd-certfile", cert, "--etcd-keyfile", key, mistakes);
    return new StoreChoice.Etcd(urls, below, ca, cert, key);
  }

  /// With a slash at both ends, which upstream adds as well.
  private String readPrefix(List<String> mistakes) {
    if (prefix == null) {
      return StoreChoice.Etcd.PREFIX;
    }
    if (!prefix.matches("/?[^/\\s]+(/[^/\\s]+)*/?")) {
      mistakes.add("--etcd-prefix=%s: must be a path, such as /berth".formatted(prefix));
    }
    return (prefix.startsWith("/") ? "" : "/") + prefix + (prefix.endsWith("/") ? "" : "/");
  }

  private List<URI> readServers(List<String> mistakes) {
    if (servers == null || servers.isBlank()) {
      mistakes.add("--store=etcd: needs --etcd-servers, such as http://127.0.0.1:2379");
      return List.of();
    }
    List<URI> urls = new ArrayList<>();
    for (String text : servers.split(",", -1)) {
      URI url = parse(text.strip());
      if (url == null) {
        mistakes.add(
            "--etcd-servers=%s: '%s' must look like http://host:port or https://host:port"
                .formatted(servers, text));
      } else {
        urls.add(url);
      }
    }
    if (urls.stream().map(URI::getScheme).distinct().count() > 1) {
      mistakes.add("--etcd-servers=" + servers + ": must all be http or all be https");
    }
    if (urls.stream().anyMatch(url -> "http".equals(url.getScheme()))
        && (caFile != null || certFile != null)) {
      mistakes.add(
          "--etcd-servers=" + servers + ": must be https when certificate files are given");
    }
    return urls;
  }

  private static @Nullable URI parse(String text) {
    try {
      URI url = URI.create(text);
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      boolean complete = web && url.getHost() != null && url.getPort() > 0;
      return complete && Set.of("", "/").contains(url.getRawPath()) ? url : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static void addIfGiven(List<String> given, String flag, @Nullable String value) {
    if (value != null) {
      given.add(flag);
    }
  }
}
