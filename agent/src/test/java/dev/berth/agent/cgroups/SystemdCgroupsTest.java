package dev.berth.agent.cgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods' groups as slices, with a systemd that only makes directories.
final class SystemdCgroupsTest {
  private static final String PARENT = "/berth/kubepods";
  private static final String POD = PARENT + "/burstable/pod1-2";
  private static final CgroupLimits ALL = new CgroupLimits(2048, -1, 1L << 30);

  @TempDir private Path root;
  private final List<String> asked = new ArrayList<>();
  private CgroupTree cgroups;
  private PodCgroups pods;

  @BeforeEach
  void open() throws IOException {
    cgroups = new SystemdCgroups(new Directories(), new CgroupsV2(root), true);
    pods = PodCgroups.open(cgroups, PARENT, ALL);
    asked.clear();
  }

  /// Writes limits as the kernel would show them.
  private final class Directories implements SystemdUnits {
    @Override
    public void start(String unit, List<Property> properties) throws IOException {
      Files.createDirectories(directory(unit));
      write("start", unit, properties);
    }

    @Override
    public void change(String unit, List<Property> properties) throws IOException {
      write("change", unit, properties);
    }

    private void write(String verb, String unit, List<Property> properties) throws IOException {
      var values = properties.stream().collect(Collectors.toMap(Property::name, Property::value));
      long micros = Long.parseUnsignedLong(values.getOrDefault("CPUQuotaPerSecUSec", ""));
      String bytes = values.getOrDefault("MemoryMax", "");
      Files.writeString(
          directory(unit).resolve("cpu.weight"), values.getOrDefault("CPUWeight", ""));
      Files.writeString(
          directory(unit).resolve("cpu.max"), (micros < 0 ? "max" : micros / 10) + " 100000");
      Files.writeString(
          directory(unit).resolve("memory.max"),
          bytes.equals("18446744073709551615") ? "max" : bytes);
      asked.add(verb + " " + unit);
    }

    @Override
    public void stop(String unit) throws IOException {
      asked.add("stop " + unit);
      try (var files = Files.list(directory(unit))) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory(unit));
    }

    private Path directory(String unit) {
      return root.resolve(SystemdSlices.directory(path(unit)).substring(1));
    }

    private static String path(String unit) {
      return "/" + unit.replace(".slice", "").replace('-', '/');
    }
  }

  @Test
  void namesFollowFromLevels() {
    assertThat(SystemdSlices.unit("/kubepods")).isEqualTo("kubepods.slice");
    assertThat(SystemdSlices.unit("/my-own.slice/kubepods")).isEqualTo("my_own-kubepods.slice");
    assertThat(SystemdSlices.directory(POD))
        .isEqualTo(
            "/berth.slice/berth-kubepods.slice/berth-kubepods-burstable.slice"
                + "/berth-kubepods-burstable-pod1_2.slice");
  }

  @Test
  void aPodIsASliceWithLimitsAndItsLevelWeighsAsMuch() throws Exception {
    pods.set(POD, new CgroupLimits(256, 25_500, 64L << 20));

    assertThat(asked)
        .containsExactly(
            "start berth-kubepods-burstable-pod1_2.slice", "change berth-kubepods-burstable.slice");
    assertThat(cgroups.below(PARENT + "/burstable")).containsExactly(POD);
    assertThat(cgroups.read(POD).memoryBytes()).isEqualTo(64L << 20);
    assertThat(cgroups.read(PARENT + "/burstable").cpuShares())
        .isEqualTo(cgroups.read(POD).cpuShares());
    // A hundredth more rather than less than the containers have.
    assertThat(cgroups.read(POD).cpuQuota()).isEqualTo(26_000);
  }

  @Test
  void whatIsAsItShouldBeIsNotAskedForAgain() throws Exception {
    CgroupLimits limits = new CgroupLimits(256, 25_500, 64L << 20);
    pods.set(POD, limits);
    asked.clear();
    pods.set(POD, limits);
    PodCgroups.open(cgroups, PARENT, ALL);

    assertThat(asked).isEmpty();
  }

  @Test
  void aPodGoesOnlyWhenItsContainersHaveGone() throws Exception {
    pods.set(POD, CgroupLimits.LEAST);
    Path scope =
        root.resolve(SystemdSlices.directory(POD).substring(1)).resolve("cri-containerd-1.scope");
    Files.createDirectories(scope);
    asked.clear();
    assertThatThrownBy(() -> pods.remove("1-2"))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("pod1_2.slice is still in use");
    assertThat(asked).isEmpty();

    Files.delete(scope);
    pods.remove("1-2");
    assertThat(asked).contains("stop berth-kubepods-burstable-pod1_2.slice");
    PodCgroups.clear(cgroups, PARENT, List.of());
    assertThat(root).isEmptyDirectory();
  }
}
