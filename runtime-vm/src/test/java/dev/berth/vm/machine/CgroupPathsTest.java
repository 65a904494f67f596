package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CgroupPathsTest {
  @ParameterizedTest
  @CsvSource({
    "/kubepods/burstable/pod1, kubepods/burstable/pod1",
    "/kubepods/, kubepods",
    "/a.slice/b.slice, a.slice/b.slice",
    "kubepods.slice, kubepods.slice",
    "kubepods-pod_1.slice, kubepods.slice/kubepods-pod_1.slice",
    "a-b-c.slice, a.slice/a-b.slice/a-b-c.slice",
  })
  void aParentIsAPathOrASliceOfSystemd(String parent, String path) {
    assertThat(CgroupPaths.relative(parent)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/../etc", "/a//b", "/", "a/./b"})
  void nothingElseIsAParent(String parent) {
    assertThatThrownBy(() -> CgroupPaths.relative(parent))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("is no path of a control group");
  }

  @Test
  void aMachineHasAGroupInEachHierarchyOfVersionOne(@TempDir Path root) throws IOException {
    Files.createDirectories(root.resolve("cpu,cpuacct"));
    Files.createSymbolicLink(root.resolve("cpu"), Path.of("cpu,cpuacct"));
    Files.createSymbolicLink(root.resolve("cpuacct"), Path.of("cpu,cpuacct"));
    Files.createDirectories(root.resolve("memory"));

    assertThat(new MachineCgroups(root).plan("/pod", "a"))
        .containsExactly(
            root.toRealPath().resolve("cpu,cpuacct/pod/berth-vm-a"),
            root.toRealPath().resolve("memory/pod/berth-vm-a"));
    assertThat(new MachineCgroups(root).plan("", "a")).isEmpty();
  }

  @Test
  void aMachineHasOneGroupInVersionTwo(@TempDir Path root) throws IOException {
    Files.createFile(root.resolve("cgroup.controllers"));

    assertThat(new MachineCgroups(root).plan("a-b.slice", "c"))
        .containsExactly(root.resolve("a.slice/a-b.slice/berth-vm-c"));
  }
}
