package dev.berth.vm.guest.model;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import java.util.List;
import java.util.Locale;

/// Capabilities as the kernel counts them: bit n is capability n.
///
/// @param bounding what the program and its children can have
/// @param ambient what a program of a user other than root keeps
public record GuestCapabilities(long bounding, long ambient) {
  /// In the kernel's order, without `CAP_`.
  private static final List<String> NAMES =
      List.of(
          "CHOWN",
          "DAC_OVERRIDE",
          "DAC_READ_SEARCH",
          "FOWNER",
          "FSETID",
          "KILL",
          "SETGID",
          "SETUID",
          "SETPCAP",
          "LINUX_IMMUTABLE",
          "NET_BIND_SERVICE",
          "NET_BROADCAST",
          "NET_ADMIN",
          "NET_RAW",
          "IPC_LOCK",
          "IPC_OWNER",
          "SYS_MODULE",
          "SYS_RAWIO",
          "SYS_CHROOT",
          "SYS_PTRACE",
          "SYS_PACCT",
          "SYS_ADMIN",
          "SYS_BOOT",
          "SYS_NICE",
          "SYS_RESOURCE",
          "SYS_TIME",
          "SYS_TTY_CONFIG",
          "MKNOD",
          "LEASE",
          "AUDIT_WRITE",
          "AUDIT_CONTROL",
          "SETFCAP",
          "MAC_OVERRIDE",
          "MAC_ADMIN",
          "SYSLOG",
          "WAKE_ALARM",
          "BLOCK_SUSPEND",
          "AUDIT_READ",
          "PERFMON",
          "BPF",
          "CHECKPOINT_RESTORE");

  private static final long ALL = (1L << NAMES.size()) - 1;

  /// What containerd and other runtimes give a container that asks for nothing.
  public static final GuestCapabilities DEFAULT =
      new GuestCapabilities(
          mask(
              List.of(
                  "CHOWN",
                  "DAC_OVERRIDE",
                  "FSETID",
                  "FOWNER",
                  "MKNOD",
                  "NET_RAW",
                  "SETGID",
                  "SETUID",
                  "SETFCAP",
                  "SETPCAP",
                  "NET_BIND_SERVICE",
                  "SYS_CHROOT",
                  "KILL",
                  "AUDIT_WRITE")),
          0);

  /// The default set changed as CRI asks: `ALL` is every capability, and a name in both lists is
  /// added, except that dropping `ALL` comes first.
  public static GuestCapabilities of(List<String> add, List<String> drop, List<String> ambient) {
    long bounding = DEFAULT.bounding;
    if (hasAll(drop)) {
      bounding = 0;
    }
    if (hasAll(add)) {
      bounding = ALL;
    }
    bounding |= mask(add);
    // As in containerd: single names are dropped after everything is added, unless they were added.
    bounding &= ~(mask(drop) & ~mask(add));
    long kept = hasAll(ambient) ? ALL : mask(ambient);
    return new GuestCapabilities(bounding | kept, kept);
  }

  private static boolean hasAll(List<String> names) {
    return names.stream().anyMatch(name -> plain(name).equals("ALL"));
  }

  private static long mask(List<String> names) {
    long mask = 0;
    for (String name : names) {
      if (plain(name).equals("ALL")) {
        continue;
      }
      int number = NAMES.indexOf(plain(name));
      if (number < 0) {
        throw new GuestException(
            FailureKind.INVALID,
            new Problem(
                "the container cannot be created",
                "unknown capability %s".formatted(name),
                "Use a name of capabilities(7), with or without CAP_, or ALL"));
      }
      mask |= 1L << number;
    }
    return mask;
  }

  private static String plain(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.startsWith("CAP_") ? upper.substring(4) : upper;
  }
}
