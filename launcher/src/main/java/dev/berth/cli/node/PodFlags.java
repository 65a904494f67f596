package dev.berth.cli.node;

import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.act.StartLimits;
import dev.berth.agent.pods.admission.AdmissionRules;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.config.DnsSettings;
import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.cli.options.OptionSection;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags about a node's pods, named as the kubelet's.
final class PodFlags {
  @OptionSection("Pod")
  @ConfigKey("staticPodPath")
  @Option(
      names = "--pod-manifest-path",
      paramLabel = "DIR",
      defaultValue = "",
      description = "Directory with manifests of static pods, which run without an API server.")
  private String manifests = "";

  @OptionSection("Pod")
  @ConfigKey(value = "clusterDNS", shape = ConfigShape.ADDRESSES)
  @Option(
      names = "--cluster-dns",
      paramLabel = "IP,...",
      defaultValue = "",
      description =
          "Comma-separated list of IP addresses of the cluster's DNS servers. Default: pods use"
              + " the DNS servers of this machine.")
  private String clusterDns = "";

  @OptionSection("Pod")
  @ConfigKey("clusterDomain")
  @Option(
      names = "--cluster-domain",
      paramLabel = "DOMAIN",
      defaultValue = "",
      description =
          "Domain of the cluster, which is part of the DNS search list of pods. Default:"
              + " cluster.local.")
  private String clusterDomain = "";

  @OptionSection("Pod")
  @ConfigKey("resolvConf")
  @Option(
      names = "--resolv-conf",
      paramLabel = "FILE",
      defaultValue = "",
      description =
          "Resolver configuration file from which the DNS configuration of pods is derived."
              + " Default: /etc/resolv.conf.")
  private String resolvConf = "";

  @OptionSection("Cgroup")
  @ConfigKey(value = "cgroupsPerQOS", shape = ConfigShape.BOOLEAN)
  @Option(
      names = "--cgroups-per-qos",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "",
      description =
          "Create a cgroup per QoS class and per pod, with the limits and the overhead of the"
              + " pod, if this machine allows it. Default: true.")
  private String perQos = "";

  @OptionSection("Cgroup")
  @ConfigKey("cgroupRoot")
  @Option(
      names = "--cgroup-root",
      paramLabel = "PATH",
      defaultValue = "",
      description =
          "Root cgroup under which pod cgroups are created. Default: /berth; the kubelet's"
              + " default is /.")
  private String root = "";

  @OptionSection("Cgroup")
  @ConfigKey("cgroupDriver")
  @Option(
      names = "--cgroup-driver",
      paramLabel = "DRIVER",
      defaultValue = "",
      description =
          "Driver that creates cgroups: cgroupfs or systemd. The driver must match the cgroup"
              + " driver of the runtimes. Default: cgroupfs.")
  private String driver = "";

  @OptionSection("Cgroup")
  @ConfigKey(value = "singleProcessOOMKill", shape = ConfigShape.BOOLEAN)
  @Option(
      names = "--single-process-oom-kill",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "",
      description =
          "Kill only one process of a cgroup that is out of memory, rather than all processes"
              + " of the container. With cgroup v1 only one process is ever killed. Default: false.")
  private String singleKills = "";

  @Mixin private EvictionFlags evictions;
  @Mixin private HousekeepingFlags housekeeping;

  @OptionSection("Pod")
  @Option(
      names = "--windows-processors",
      paramLabel = "WHICH",
      defaultValue = "",
      description =
          "CPU controls that a Windows container gets: all (count, weight and maximum), or"
              + " maximum, as the kubelet since 1.18, for runtimes that reject more than one. Default:"
              + " all.")
  private String processors = "";

  @OptionSection("Pod")
  @ConfigKey(value = "allowedUnsafeSysctls", shape = ConfigShape.PATTERNS)
  @Option(
      names = "--allowed-unsafe-sysctls",
      paramLabel = "NAME,...",
      defaultValue = "",
      description =
          "Comma-separated list of unsafe sysctls, or patterns that end with *, that pods may"
              + " set, such as kernel.msg*,net.core.somaxconn. Default: none.")
  private String unsafeSysctls = "";

  /// @param unresolved see [AdmissionRules]
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
        AdmissionRules.STANDARD.with(unresolved),
        StartLimits.STANDARD,
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
