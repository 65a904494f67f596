package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.OptionSection;
import dev.berth.server.audit.AuditConfig;
import dev.berth.server.audit.AuditPolicy;
import dev.berth.server.audit.AuditPolicyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Flags about the audit log.
@OptionSection("Audit")
final class AuditFlags {
  private static final String POLICY = "--audit-policy-file";
  private static final String PATH = "--audit-log-path";
  private static final String STANDARD_OUTPUT = "-";
  private static final long DEFAULT_MEGABYTES = 100;
  private static final int MAX_NUMBER = 100_000;

  @Option(
      names = POLICY,
      paramLabel = "FILE",
      description =
          "YAML file of kind Policy (audit.k8s.io/v1) that defines which requests are audited,"
              + " and at which level. Requires --audit-log-path. Default: requests are not audited.")
  private @Nullable String policyFile;

  @Option(
      names = PATH,
      paramLabel = "FILE",
      description =
          "File to which audit events are appended, one JSON document per line; - means"
              + " standard output. Requires --audit-policy-file.")
  private @Nullable String logPath;

  @Option(
      names = "--audit-log-maxage",
      paramLabel = "DAYS",
      defaultValue = "0",
      description =
          "Maximum number of days to retain rotated audit log files; 0 means no limit. Default:"
              + " ${DEFAULT-VALUE}.")
  private String maxAge = "";

  @Option(
      names = "--audit-log-maxbackup",
      paramLabel = "COUNT",
      defaultValue = "0",
      description =
          "Maximum number of rotated audit log files to retain; 0 means no limit. Default:"
              + " ${DEFAULT-VALUE}.")
  private String maxBackup = "";

  @Option(
      names = "--audit-log-maxsize",
      paramLabel = "MB",
      defaultValue = "0",
      description =
          "Maximum size of the audit log file in megabytes before it is rotated; 0 means 100."
              + " Default: ${DEFAULT-VALUE}.")
  private String maxSize = "";

  @Option(
      names = "--audit-log-compress",
      description = "Compress rotated audit log files with gzip.")
  private boolean compress;

  /// Null if requests are not audited.
  @Nullable AuditConfig read(List<String> mistakes) {
    int days = number("--audit-log-maxage", maxAge, mistakes);
    int backups = number("--audit-log-maxbackup", maxBackup, mistakes);
    int megabytes = number("--audit-log-maxsize", maxSize, mistakes);
    if ((policyFile == null) != (logPath == null)) {
      mistakes.add(
          "%s: needs %s as well, otherwise nothing is recorded"
              .formatted(policyFile == null ? PATH : POLICY, policyFile == null ? POLICY : PATH));
    }
    AuditPolicy policy = readPolicy(mistakes);
    Optional<Path> file = readPath(mistakes);
    if (policy == null || logPath == null) {
      return null;
    }
    long bytes = (megabytes == 0 ? DEFAULT_MEGABYTES : megabytes) << 20;
    return new AuditConfig(
        policy, file, new AuditConfig.Rotation(bytes, backups, Duration.ofDays(days), compress));
  }

  private @Nullable AuditPolicy readPolicy(List<String> mistakes) {
    List<String> found = new ArrayList<>();
    Path file = FileFlag.readable(POLICY, policyFile, "must be a YAML file", found);
    if (file == null || !found.isEmpty()) {
      mistakes.addAll(found);
      return null;
    }
    AuditPolicy policy = AuditPolicyReader.read(file, found);
    found.forEach(mistake -> mistakes.add("%s=%s: %s".formatted(POLICY, policyFile, mistake)));
    return policy;
  }

  private Optional<Path> readPath(List<String> mistakes) {
    if (logPath == null || logPath.equals(STANDARD_OUTPUT)) {
      return Optional.empty();
    }
    Path path = Path.of(logPath).toAbsolutePath().normalize();
    if (logPath.isEmpty() || Files.isDirectory(path)) {
      mistakes.add("%s=%s: must name a file, or - for standard output".formatted(PATH, logPath));
    }
    return Optional.of(path);
  }

  private static int number(String flag, String text, List<String> mistakes) {
    if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) <= MAX_NUMBER) {
      return Integer.parseInt(text);
    }
    mistakes.add("%s=%s: must be a number from 0 to %d".formatted(flag, text, MAX_NUMBER));
    return 0;
  }
}
