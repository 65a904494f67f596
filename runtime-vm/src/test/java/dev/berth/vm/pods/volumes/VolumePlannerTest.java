package dev.berth.vm.pods.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.Mount;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestMount.MountSource.FileSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.ScratchSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.TreeSource;
import dev.berth.vm.guest.model.TreeEntry;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VolumePlannerTest {
  @TempDir private Path pod;

  private static ContainerConfig container(Mount... mounts) {
    return ContainerConfig.newBuilder()
        .setMetadata(ContainerMetadata.newBuilder().setName("main"))
        .addAllMounts(List.of(mounts))
        .build();
  }

  private static Mount mount(String destination, Path source, boolean readOnly) {
    return Mount.newBuilder()
        .setContainerPath(destination)
        .setHostPath(source.toString())
        .setReadonly(readOnly)
        .build();
  }

  private static GuestMount at(MountPlan plan, String destination) {
    return plan.mounts().stream()
        .filter(mount -> mount.destination().equals(destination))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyContainerHasNamesAndSharedMemory() throws IOException {
    assertThat(VolumePlanner.plan(container()).mounts())
        .extracting(GuestMount::destination)
        .containsExactly("/dev/shm", "/etc/resolv.conf", "/etc/hostname", "/etc/hosts");
  }

  @Test
  void anEmptyDirIsADirectoryOfTheGuestWithTheRightsOfTheNodes() throws IOException {
    Path directory = Files.createDirectories(pod.resolve("volumes/kubernetes.io~empty-dir/cache"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

    GuestMount mount = at(VolumePlanner.plan(container(mount("/c", directory, false))), "/c");

    assertThat(mount.source()).isInstanceOf(ScratchSource.class);
    ScratchSource source = (ScratchSource) mount.source();
    assertThat(source.name()).isEqualTo("empty-cache");
    assertThat(source.owner().mode()).isEqualTo(0777);
  }

  @Test
  void aPayloadIsDeliveredWithoutItsLinks() throws IOException {
    Path volume = payload();

    MountPlan plan = VolumePlanner.plan(container(mount("/s", volume, true)));

    assertThat(plan.trees()).hasSize(1);
    assertThat(plan.trees().getFirst().followed()).isTrue();
    assertThat(at(plan, "/s").source()).isEqualTo(new TreeSource(plan.trees().getFirst().name()));
    List<TreeEntry> files = VolumeFiles.read(volume);
    assertThat(files).extracting(TreeEntry::path).containsExactly("inner", "inner/b", "key");
    TreeFile file = (TreeFile) files.getLast();
    assertThat(file.bytes()).asString().isEqualTo("value");
    assertThat(file.mode()).isEqualTo(0640);
  }

  private Path payload() throws IOException {
    Path volume = Files.createDirectories(pod.resolve("volumes/kubernetes.io~secret/s"));
    Path version = Files.createDirectories(volume.resolve("..v1/inner")).resolveSibling("key");
    Files.writeString(version, "value");
    Files.setPosixFilePermissions(version, PosixFilePermissions.fromString("rw-r-----"));
    Files.writeString(volume.resolve("..v1/inner/b"), "c");
    Files.createSymbolicLink(volume.resolve("..data"), Path.of("..v1"));
    Files.createSymbolicLink(volume.resolve("key"), Path.of("..data/key"));
    return volume;
  }

  @Test
  void aVolumeThatIsTooLargeIsRefused() throws IOException {
    Path volume = payload();
    Files.write(volume.resolve("..v1/key"), new byte[(16 << 20) + 1]);

    assertThatThrownBy(() -> VolumeFiles.read(volume))
        .hasMessageContaining("its files have more than 16 MiB");
  }

  @Test
  void theTerminationMessageIsAFileOfTheContainer() throws IOException {
    Path file = Files.createDirectories(pod.resolve("containers/main")).resolve("3f2a");
    Files.writeString(file, "");

    MountPlan plan = VolumePlanner.plan(container(mount("/dev/termination-log", file, false)));

    assertThat(plan.messageFile()).isEqualTo(file.toString());
    assertThat(at(plan, "/dev/termination-log").source()).isInstanceOf(FileSource.class);
  }

  @Test
  void aHostsFileOfThePodReplacesTheOwn() throws IOException {
    Path file = Files.writeString(pod.resolve("etc-hosts"), "127.0.0.1 me\n");

    MountPlan plan = VolumePlanner.plan(container(mount("/etc/hosts", file, false)));

    assertThat(plan.mounts()).filteredOn(m -> m.destination().equals("/etc/hosts")).hasSize(1);
    assertThat(at(plan, "/etc/hosts").subPath()).isEqualTo("etc-hosts");
  }

  @Test
  void anImageIsAVolume() throws IOException {
    Mount mount =
        Mount.newBuilder()
            .setContainerPath("/data")
            .setImage(ImageSpec.newBuilder().setImage("data:1"))
            .setImageSubPath("part")
            .build();

    assertThat(VolumePlanner.plan(container(mount)).images())
        .containsExactly(new MountPlan.ImageMount("data:1", "/data", "part"));
  }

  @Test
  void whatThePodCouldWriteOnTheNodeIsRefused() throws IOException {
    Path file = Files.writeString(pod.resolve("file"), "");

    assertThatThrownBy(() -> VolumePlanner.plan(container(mount("/f", file, false))))
        .isInstanceOf(VolumeException.class)
        .hasMessageContaining("a file of the node that the container could write");
    assertThatThrownBy(() -> VolumePlanner.plan(container(mount("/d", pod, true))))
        .hasMessageContaining("is a directory of the node");
    assertThatThrownBy(() -> VolumePlanner.plan(container(mount("/n", Path.of("/dev/null"), true))))
        .hasMessageContaining("is neither a directory nor a regular file");
    assertThatThrownBy(() -> VolumePlanner.plan(container(mount("/x", pod.resolve("x"), true))))
        .hasMessageContaining("does not exist");
  }

  @Test
  void aBindMountIsFoundWithinItsVolume() {
    HostMounts mounts =
        HostMounts.parse(
            """
            20 1 8:1 / / rw - ext4 /dev/sda1 rw
            21 20 8:2 / /var/lib/kubelet rw - ext4 /dev/sda2 rw
            22 21 8:2 /pods/u/volumes/kubernetes.io~empty-dir/e/sub\\040dir /var/lib/kubelet/pods/u/volume-subpaths/e/main/0 rw - ext4 /dev/sda2 rw
            """);
    Path volume = Path.of("/var/lib/kubelet/pods/u/volumes/kubernetes.io~empty-dir/e");

    HostMounts.HostMount bound =
        mounts.at(Path.of("/var/lib/kubelet/pods/u/volume-subpaths/e/main/0")).orElseThrow();

    assertThat(mounts.relative(bound, volume)).contains(Path.of("sub dir"));
    assertThat(mounts.relative(bound, Path.of("/elsewhere"))).isEmpty();
  }
}
