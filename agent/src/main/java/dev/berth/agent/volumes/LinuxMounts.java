package dev.berth.agent.volumes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Mounts by the commands of util-linux; for an agent that runs as root.
public final class LinuxMounts implements Mounts {
  @Override
  public boolean memory(Path folder, long bytes) throws IOException {
    return mount(folder, "tmpfs", "mode=0755" + (bytes > 0 ? ",size=" + bytes : ""));
  }

  @Override
  public boolean hugePages(Path folder, long pageBytes) throws IOException {
    return mount(folder, "hugetlbfs", "pagesize=" + pageBytes);
  }

  private static boolean mount(Path folder, String type, String options) throws IOException {
    Path real = folder.toRealPath();
    if (MountTable.read().at(real).isPresent()) {
      return false;
    }
    run("mount", "-t", type, "-o", "nosuid,nodev," + options, type, real.toString());
    return true;
  }

  /// Binding first and looking afterwards leaves no moment in which a container could put a link in
  /// the way.
  @Override
  public Path bind(Path source, Path target, Path volume) throws IOException {
    makeTarget(source, target);
    Path place = target.toRealPath();
    if (MountTable.read().at(place).isPresent()) {
      // Of the container before this one.
      run("umount", place.toString());
    }
    run("mount", "--bind", source.toString(), place.toString());
    MountTable table = MountTable.read();
    MountTable.Entry allowed = table.of(volume);
    MountTable.Entry bound = table.at(place).orElseThrow();
    if (!bound.device().equals(allowed.device())
        || !bound.root().startsWith(allowed.inside(volume))) {
      run("umount", place.toString());
      throw new OutsideException();
    }
    return place;
  }

  private static void makeTarget(Path source, Path target) throws IOException {
    if (Files.isDirectory(source)) {
      Files.createDirectories(target);
    } else {
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      if (!Files.exists(target)) {
        Files.createFile(target);
      }
    }
  }

  @Override
  public void unmountBelow(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Path real = folder.toRealPath();
    for (Path point : MountTable.read().below(real)) {
      run("umount", point.toString());
    }
    List<Path> left = MountTable.read().below(real);
    if (!left.isEmpty()) {
      throw new IOException("still mounted: " + left);
    }
  }

  private static void run(String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try (var output = process.getInputStream()) {
      process.getOutputStream().close();
      String said = new String(output.readAllBytes(), UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("%s failed: %s".formatted(String.join(" ", words), said));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", words), e);
    }
  }
}
