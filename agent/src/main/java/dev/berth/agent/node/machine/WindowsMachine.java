package dev.berth.agent.node.machine;

import dev.berth.agent.node.machine.MachineInfo.Ids;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.api.platforms.WindowsVersion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the version of a Windows host from its registry, by `reg query`.
///
/// @param data the agent's directory: its disk is where pods write
/// @param query answers what `reg query` prints for a key
public record WindowsMachine(Path data, RegistryQuery query) {
  /// Runs `reg query`.
  @FunctionalInterface
  public interface RegistryQuery {
    String read(String key) throws IOException;
  }

  /// What a Windows host is.
  ///
  /// @param product as the registry names it, such as `Windows Server 2019 Datacenter`
  public record HostVersion(String product, WindowsVersion version) {
    /// As Windows writes it: `10.0.17763.805`.
    public String full() {
      return version.label() + "." + version.revision();
    }
  }

  static final String KEY = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";

  /// Four blanks separate columns; a value may have blanks itself.
  private static final Pattern LINE =
      Pattern.compile("\\s+(\\S+)\\s+(REG_SZ|REG_EXPAND_SZ|REG_DWORD|REG_QWORD)(?:\\s+(.*))?");

  public static boolean isThisSystem(String systemName) {
    return systemName.toLowerCase(Locale.ROOT).startsWith("windows");
  }

  public static WindowsMachine ofThisMachine(Path data) {
    return new WindowsMachine(data, WindowsMachine::run);
  }

  /// The facts of this moment.
  public MachineInfo facts(int cpus, String architecture) throws IOException {
    HostVersion host = parse(query.read(KEY));
    return new MachineInfo(
        "windows",
        MachineInfo.architecture(architecture),
        host.version().label(),
        host.full(),
        host.product(),
        Ids.UNKNOWN,
        new Size(cpus, memory(), Files.getFileStore(data).getTotalSpace(), Map.of()));
  }

  /// Reads what `reg query` prints for the key of the version. `CurrentVersion` is not used: it has
  /// been 6.3 since Windows 8.1.
  ///
  /// @throws IOException when a value is missing or not a number
  public static HostVersion parse(String output) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (String line : output.lines().toList()) {
      Matcher columns = LINE.matcher(line);
      if (columns.matches()) {
        String value = columns.group(3);
        values.put(columns.group(1), value == null ? "" : value.strip());
      }
    }
    WindowsVersion version =
        new WindowsVersion(
            number(values, "CurrentMajorVersionNumber"),
            number(values, "CurrentMinorVersionNumber"),
            number(values, "CurrentBuildNumber"),
            // Missing until the first monthly update.
            values.containsKey("UBR") ? number(values, "UBR") : 0);
    return new HostVersion(values.getOrDefault("ProductName", "Windows"), version);
  }

  /// `REG_DWORD` is printed as hexadecimal number, and the build is text.
  private static int number(Map<String, String> values, String name) throws IOException {
    String text = values.get(name);
    if (text == null) {
      throw new IOException("`reg query \"%s\"` does not show %s".formatted(KEY, name));
    }
    try {
      return Integer.decode(text);
    } catch (NumberFormatException e) {
      throw new IOException(
          "`reg query \"%s\"` shows %s \"%s\", which is not a number".formatted(KEY, name, text),
          e);
    }
  }

  private static long memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : 0;
  }

  private static String run(String key) throws IOException {
    Process process =
        new ProcessBuilder(List.of("reg", "query", key)).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("`reg query \"%s\"` failed: %s".formatted(key, output.strip()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("`reg query \"%s\"` was interrupted".formatted(key), e);
    }
    return output;
  }
}
