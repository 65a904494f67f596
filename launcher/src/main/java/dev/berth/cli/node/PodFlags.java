package dev.berth.cli.node;

import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.config.DnsSettings;
import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.launch.agent.PodSettings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags about a node's pods, named as the kubelet's.
final class PodFlags {
  @Option(
      names = "--pod-manifest-path",
      paramLabel = "DIR",
      defaultValue = "",
      description = "A directory with pods that run here whether there is an API server or not.")
  private String manifests = "";

  @Option(
      names = "--cluster-dns",
      paramLabel = "IP,...",
      defaultValue = "",
      description = "The cluster's name servers. Default: pods get those of the machine.")
  private String clusterDns = "";

  @Option(
      names = "--cluster-domain",
      paramLabel = "DOMAIN",
      defaultValue = "",
      description = "The domain of Services. Default: cluster.local.")
  private String clusterDomain = "";

  @Option(
      names = "--resolv-conf",
      paramLabel = "FILE",
      defaultValue = "",
      description = "How the machine resolves names, for its pods. Default: /etc/resolv.conf.")
  private String resolvConf = "";

  @Option(
      names = "--cgroups-per-qos",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "",
      description =
          "Whether pods get control groups of their own, with their limits and overhead, where the"
              + " machine allows it. Default: true.")
  private String perQos = "";

  @Option(
      names = "--cgroup-root",
      paramLabel = "PATH",
      defaultValue = "",
      description = "Below which these are. Default: /berth; a kubelet's are below /.")
  private String root = "";

  @Option(
      names = "--cgroup-driver",
      paramLabel = "DRIVER",
      defaultValue = "",
      description =
          "Who makes them, as the runtimes are configured: cgroupfs or systemd. Default:"
              + " cgroupfs.")
  private String driver = "";

  @Option(
      names = "--single-process-oom-kill",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "",
      description =
          "Whether a container that is out of memory loses one process and goes on, rather than end"
              + " as a whole; it always does with control groups of version 1. Default: false.")
  private String singleKills = "";

  @Mixin private EvictionFlags evictions;
  @Mixin private HousekeepingFlags housekeeping;

  @Option(
      names = "--windows-processors",
      paramLabel = "WHICH",
      defaultValue = "",
      description =
          "How CPU limits are said to a Windows runtime: all (count, weight and maximum), or maximum"
              + " alone, as the kubelet since 1.18, for runtimes that refuse more than one. Default:"
              + " all.")
  private String processors = "";

  @Option(
      names = "--allowed-unsafe-sysctls",
      paramLabel = "NAME,...",
      defaultValue = "",
      description =
          "Settings of the kernel that pods may change beside those that touch no other pod, such"
              + " as kernel.msg*,net.core.somaxconn. Default: none.")
  private String unsafeSysctls = "";

  /// @param unresolved see [PodSettings]
  PodSettings read(ConfigFile file, UnresolvedPolicy unresolved, List<String> mistakes) {
    String directory = file.value("--pod-manifest-path", manifests, "");
    return new PodSettings(
        groups(file, mistakes),
        new DnsSettings(
            servers(file.value("--cluster-dns", clusterDns, ""), mistakes),
            file.value("--cluster-domain", clusterDomain, DnsSettings.OF_THE_HOST.domain()),
            Path.of(
                file.value(
                    "--resolv-conf", resolvConf, DnsSettings.OF_THE_HOST.hostFile().toString()))),
        directory.isEmpty() ? Optional.empty() : Optional.of(Path.of(directory).toAbsolutePath()),
        unresolved,
        evictions.read(file, mistakes),
        processors(file, mistakes),
        sysctls(file.value("--allowed-unsafe-sysctls", unsafeSysctls, ""), mistakes),
        housekeeping.read(file, mistakes));
  }

  private PodSettings.Groups groups(ConfigFile file, List<String> mistakes) {
    String wanted = file.value("--cgroups-per-qos", perQos, "true");
    if (!List.of("true", "false").contains(wanted)) {
      mistakes.add("--cgroups-per-qos=%s: must be true or false".formatted(wanted));
    }
    String single = file.value("--single-process-oom-kill", singleKills, "false");
    if (!List.of("true", "false").contains(single)) {
      mistakes.add("--single-process-oom-kill=%s: must be true or false".formatted(single));
    }
    String by = file.value("--cgroup-driver", driver, "cgroupfs");
    if (!List.of("cgroupfs", "systemd").contains(by)) {
      mistakes.add("--cgroup-driver=%s: must be cgroupfs or systemd".formatted(by));
    }
    String path = file.value("--cgroup-root", root, PodSettings.Groups.USUAL.root());
    if (!path.startsWith("/") || List.of(path.split("/", -1)).contains("..")) {
      mistakes.add("--cgroup-root=%s: must be a path such as /berth".formatted(path));
    }
    return new PodSettings.Groups(
        wanted.equals("true"), path, by.equals("systemd"), single.equals("true"));
  }

  private WindowsProcessors processors(ConfigFile file, List<String> mistakes) {
    return switch (file.value("--windows-processors", processors, "all")) {
      case "all" -> WindowsProcessors.ALL_CONTROLS;
      case "maximum" -> WindowsProcessors.MAXIMUM_ONLY;
      case String other -> {
        mistakes.add("--windows-processors=%s: must be all or maximum".formatted(other));
        yield WindowsProcessors.ALL_CONTROLS;
      }
    };
  }

  private static AllowedSysctls sysctls(String text, List<String> mistakes) {
    List<String> names = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    names.stream()
        .filter(name -> !AllowedSysctls.isOfPods(name))
        .forEach(
            name ->
                mistakes.add(
                    "--allowed-unsafe-sysctls=%s: must be one that pods have for themselves: net.*, kernel.shm*, kernel.msg*, kernel.sem or fs.mqueue.*"
                        .formatted(name)));
    return new AllowedSysctls(names);
  }

  private static List<String> servers(String text, List<String> mistakes) {
    NodeFlagReader reader = new NodeFlagReader(mistakes);
    List<String> servers = new ArrayList<>();
    for (String part : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
      InetAddress address = reader.address("--cluster-dns", part);
      if (address != null) {
        servers.add(address.getHostAddress());
      }
    }
    return servers;
  }
}
