package dev.berth.vm;

import dev.berth.api.Problem;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.KernelException;
import dev.berth.vm.service.RuntimeFacts;
import dev.berth.vm.template.AcceleratorProbe;
import dev.berth.vm.template.AcceleratorProbe.AcceleratorChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What this host offers for virtual machines.
final class HypervisorFacts implements RuntimeFacts {
  private static final Logger log = LoggerFactory.getLogger(HypervisorFacts.class);

  private static final Pattern VERSION = Pattern.compile("version ([0-9][0-9.]*)");

  /// `128Mi-1-KEY`; those that are being made begin with a dot.
  private static final Pattern TEMPLATE = Pattern.compile("(\\d+Mi-\\d+)-.*");

  private final VmRuntimeConfig config;
  private final Supplier<GuestFiles> guests;
  private final CompletableFuture<AcceleratorChoice> accelerator;
  private final String qemuVersion;

  private HypervisorFacts(
      VmRuntimeConfig config,
      Supplier<GuestFiles> guests,
      CompletableFuture<AcceleratorChoice> accelerator) {
    this.config = config;
    this.guests = guests;
    this.accelerator = accelerator;
    this.qemuVersion = qemuVersion(config.qemu());
  }

  /// Starts to find out which accelerator works, which takes seconds: no status waits for it.
  static HypervisorFacts of(
      VmRuntimeConfig config, Supplier<GuestFiles> guests, AcceleratorProbe probe) {
    CompletableFuture<AcceleratorChoice> choice = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("accelerator-probe")
        .start(
            () -> {
              try {
                choice.complete(probe.choose());
              } catch (RuntimeException e) {
                log.warn("accelerator unknown reason={}", e.toString());
                choice.completeExceptionally(e);
              }
            });
    return new HypervisorFacts(config, guests, choice);
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
    if (accelerator.isDone() && !accelerator.isCompletedExceptionally()) {
      AcceleratorChoice choice = accelerator.join();
      facts.put("accelerator", choice.accelerator().name().toLowerCase(Locale.ROOT));
      facts.put("acceleratorReason", choice.reason());
    } else {
      facts.put("accelerator", "unknown");
    }
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
