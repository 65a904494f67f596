package dev.berth.vm;

import dev.berth.api.Problem;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.KernelException;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.service.RuntimeFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What this host offers for virtual machines.
final class HypervisorFacts implements RuntimeFacts {
  private static final Pattern VERSION = Pattern.compile("version ([0-9][0-9.]*)");

  /// `128Mi-1-KEY`; those that are being made begin with a dot.
  private static final Pattern TEMPLATE = Pattern.compile("(\\d+Mi-\\d+)-.*");

  private final VmRuntimeConfig config;
  private final Supplier<GuestFiles> guests;
  private final Supplier<Accelerator> accelerator;
  private final String qemuVersion;

  HypervisorFacts(
      VmRuntimeConfig config, Supplier<GuestFiles> guests, Supplier<Accelerator> accelerator) {
    this.config = config;
    this.guests = guests;
    this.accelerator = accelerator;
    this.qemuVersion = qemuVersion(config.qemu());
  }

  @Override
  public String version() {
    return config.version();
  }

  @Override
  public Optional<Problem> unready() {
    return missing(config).or(this::missingKernel);
  }

  static Optional<Problem> missing(VmRuntimeConfig config) {
    return Files.isExecutable(config.qemu())
        ? Optional.empty()
        : Optional.of(
            new Problem(
                "pods in virtual machines cannot start",
                "%s is missing".formatted(config.qemu()),
                "Install QEMU (Debian: qemu-system-x86)"));
  }

  private Optional<Problem> missingKernel() {
    try {
      GuestFiles _ = guests.get();
      return Optional.empty();
    } catch (KernelException e) {
      return Optional.of(e.problem());
    }
  }

  @Override
  public Map<String, String> hypervisor() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("qemuVersion", qemuVersion);
    facts.put("accelerator", accelerator.get().name().toLowerCase(Locale.ROOT));
    facts.put("kernel", kernel());
    return facts;
  }

  /// The files are in a directory with the name of the kernel's release.
  private String kernel() {
    try {
      Path home = guests.get().kernel().getParent();
      return home == null ? "" : String.valueOf(home.getFileName());
    } catch (KernelException e) {
      return "missing";
    }
  }

  @Override
  public List<String> templates() {
    Path directory = config.directory().resolve("templates");
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> TEMPLATE.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String qemuVersion(Path program) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor(10, TimeUnit.SECONDS);
      Matcher matcher = VERSION.matcher(text);
      return matcher.find() ? matcher.group(1) : "unknown";
    } catch (IOException e) {
      return "missing";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
