package dev.berth.agent.node.machine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.agent.node.machine.MachineInfo.Ids;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.usage.FreeDiskSpace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads facts about the machine from Linux.
///
/// @param root of the file system, for tests
/// @param data the agent's directory, on the disk of pods
public record LinuxMachine(Path root, Path data) {
  /// USER_HZ: the kernel reports times to programs in hundredths of a second, whatever its own
  /// clock is.
  private static final long NANOS_PER_TICK = 10_000_000;

  private static final Pattern HUGE_PAGES = Pattern.compile("hugepages-(\\d+)kB");
  private static final Pattern PROCESSES = Pattern.compile("/(\\d+) ");
  private static final Pattern IMAGE = Pattern.compile("(?m)^PRETTY_NAME=\"?([^\"\n]*)");

  /// The current facts.
  public MachineInfo facts(int cpus, String architecture) throws IOException {
    return new MachineInfo(
        "linux",
        MachineInfo.architecture(architecture),
        "",
        line("proc/sys/kernel/osrelease"),
        systemImage(),
        ids(),
        new Size(cpus, memory("MemTotal"), Files.getFileStore(data).getTotalSpace(), hugePages()));
  }

  /// Whether the kernel enforces AppArmor.
  public boolean hasAppArmor() {
    return Files.exists(root.resolve("sys/kernel/security/apparmor"))
        && line("sys/module/apparmor/parameters/enabled").startsWith("Y");
  }

  /// The available memory.
  public Reading memoryLeft() throws IOException {
    return new Reading(memory("MemAvailable"), memory("MemTotal"));
  }

  /// How many processes and threads can still start.
  public Reading processesLeft() throws IOException {
    long most = Math.min(number("proc/sys/kernel/pid_max"), number("proc/sys/kernel/threads-max"));
    Matcher present = PROCESSES.matcher(line("proc/loadavg"));
    if (!present.find()) {
      throw new IOException("/proc/loadavg does not contain the number of processes");
    }
    return new Reading(most - Long.parseLong(present.group(1)), most);
  }

  /// The free space on the disk of pods.
  public FreeDiskSpace diskLeft() throws IOException {
    return FreeDiskSpace.of(data);
  }

  /// The memory in use without reclaimable page cache.
  public long memoryInUse() throws IOException {
    return memory("MemTotal") - memory("MemAvailable");
  }

  /// The memory in use with the page cache.
  public long memoryTaken() throws IOException {
    return memory("MemTotal") - memory("MemFree");
  }

  /// The memory that is neither free nor backed by files.
  public long memoryOfProcesses() throws IOException {
    return memory("AnonPages");
  }

  /// The free swap space; zero of zero where there is none.
  public Reading swapLeft() throws IOException {
    return new Reading(memory("SwapFree"), memory("SwapTotal"));
  }

  /// Page faults since the boot.
  ///
  /// @param what `pgfault` or `pgmajfault`
  public long pageFaults(String what) throws IOException {
    return after("proc/vmstat", what);
  }

  /// The boot time in seconds since 1970.
  public long bootSeconds() throws IOException {
    return after("proc/stat", "btime");
  }

  /// The number after a word at the beginning of a line.
  private long after(String file, String word) throws IOException {
    try (var lines = Files.lines(root.resolve(file))) {
      return lines
          .filter(line -> line.startsWith(word + " "))
          .map(line -> Long.parseLong(line.substring(word.length()).strip()))
          .findFirst()
          .orElseThrow(() -> new IOException("/%s has no %s".formatted(file, word)));
    }
  }

  /// The busy time of all processors together, in nanoseconds.
  public long processorTime() throws IOException {
    String[] times =
        Files.readString(root.resolve("proc/stat"))
            .lines()
            .findFirst()
            .orElse("")
            .strip()
            .split(" +", -1);
    long ticks = 0;
    // user nice system (idle iowait) irq softirq steal
    for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
      ticks += i < times.length ? Long.parseLong(times[i]) : 0;
    }
    return ticks * NANOS_PER_TICK;
  }

  private Ids ids() {
    String machine = line("etc/machine-id");
    String system = line("sys/class/dmi/id/product_uuid");
    return new Ids(
        machine, system.isEmpty() ? machine : system, line("proc/sys/kernel/random/boot_id"));
  }

  private String systemImage() {
    Matcher matcher = IMAGE.matcher(text("etc/os-release"));
    return matcher.find() ? matcher.group(1) : "Linux";
  }

  private long memory(String what) throws IOException {
    Matcher matcher =
        Pattern.compile("(?m)^" + what + ":\\s+(\\d+) kB")
            .matcher(Files.readString(root.resolve("proc/meminfo")));
    if (!matcher.find()) {
      throw new IOException("/proc/meminfo has no " + what);
    }
    return Long.parseLong(matcher.group(1)) << 10;
  }

  private Map<String, Long> hugePages() throws IOException {
    Map<String, Long> pages = new TreeMap<>();
    Path directory = root.resolve("sys/kernel/mm/hugepages");
    if (!Files.isDirectory(directory)) {
      return pages;
    }
    try (DirectoryStream<Path> sizes = Files.newDirectoryStream(directory)) {
      for (Path size : sizes) {
        Matcher matcher = HUGE_PAGES.matcher(size.getFileName().toString());
        if (matcher.matches()) {
          long kib = Long.parseLong(matcher.group(1));
          String count = Files.readString(size.resolve("nr_hugepages")).strip();
          pages.put(resourceName(kib), Long.parseLong(count) * (kib << 10));
        }
      }
    }
    return pages;
  }

  /// Kubernetes names page sizes by the largest unit in which they are whole numbers.
  private static String resourceName(long kib) {
    String size = kib + "Ki";
    if (kib % (1 << 20) == 0) {
      size = (kib >> 20) + "Gi";
    } else if (kib % (1 << 10) == 0) {
      size = (kib >> 10) + "Mi";
    }
    return "hugepages-" + size;
  }

  /// Files in /proc must be read in one call: a second read may see another version.
  private long number(String file) throws IOException {
    try (InputStream in = Files.newInputStream(root.resolve(file))) {
      byte[] piece = new byte[32];
      int length = in.read(piece);
      return Long.parseLong(new String(piece, 0, Math.max(0, length), US_ASCII).strip());
    }
  }

  private String line(String file) {
    return text(file).strip();
  }

  /// The text of a file; empty when the machine lacks it or denies access.
  private String text(String file) {
    try {
      return Files.readString(root.resolve(file));
    } catch (IOException _) {
      return "";
    }
  }
}
