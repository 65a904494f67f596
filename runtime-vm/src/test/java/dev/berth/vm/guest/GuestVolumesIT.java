package dev.berth.vm.guest;

import static dev.berth.vm.guest.ContainerRecipe.script;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestMount.GuestOwner;
import dev.berth.vm.guest.model.GuestMount.MountSource.FileSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.ImageSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.MemorySource;
import dev.berth.vm.guest.model.GuestMount.MountSource.ScratchSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.TreeSource;
import dev.berth.vm.guest.model.GuestUsage.VolumeUsage;
import dev.berth.vm.guest.model.TreeEntry;
import dev.berth.vm.guest.model.TreeEntry.TreeDirectory;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import dev.berth.vm.guest.model.TreeEntry.TreeLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The real guest program in QEMU: volumes of all kinds, and files.
@Timeout(300)
final class GuestVolumesIT {
  private static TestMachine machine;

  @BeforeAll
  static void boot() {
    machine = TestMachine.shared();
  }

  @Test
  void aTreeIsReplacedAtOnceWhileItIsRead() {
    GuestAgent agent = machine.agent();
    agent.putTree("replaced", pair("0"));
    ContainerRecipe reader =
        script(
                machine,
                "echo up; n=0; while [ ! -e /c/done ]; do cd /c/..data; a=$(cat a); b=$(cat b);"
                    + " [ \"$a\" = \"$b\" ] || echo torn $a $b; n=$((n+1)); done; echo ok; ls /c")
            .mount("/c", new TreeSource("replaced"))
            .start();
    reader.awaitOutput("up");
    for (int i = 1; i < 30; i++) {
      agent.putTree("replaced", pair("" + i));
    }
    List<TreeEntry> last = new ArrayList<>(pair("last"));
    last.add(file("done", ""));
    last.remove(0);
    agent.putTree("replaced", last);
    reader.awaitExit();
    // A directory that was opened before may lose its files, but never has those of another time.
    assertThat(reader.output()).doesNotContainPattern("torn [0-9a-z]+ [0-9a-z]+");
    assertThat(reader.output()).endsWith("ok\nb\ndone\n");
    reader.remove();
    agent.removeTree("replaced");
    refused(
        FailureKind.NOT_FOUND,
        () -> script(machine, "true").mount("/c", new TreeSource("replaced")).create());
  }

  private static List<TreeEntry> pair(String text) {
    return List.of(file("a", text), file("b", text));
  }

  @Test
  void aTreeHasModesOwnersDirectoriesAndLinks() {
    machine
        .agent()
        .putTree(
            "modes",
            List.of(
                new TreeDirectory("dir", 0750, 1000, 2000),
                new TreeFile("dir/secret", 0400, 1000, 2000, "s".getBytes(UTF_8)),
                new TreeFile("deep/er/file", 0644, 0, 0, new byte[0]),
                new TreeLink("link", "dir/secret")));
    String output =
        script(
                machine,
                "cd /m; stat -c '%n %a %u:%g' dir dir/secret deep/er deep/er/file; cat link;"
                    + " readlink dir; readlink ..data | cut -c1-2; touch /m/x")
            .mount(new GuestMount("/m", new TreeSource("modes"), "", true))
            .run();
    assertThat(output)
        .contains("dir/secret 400 1000:2000\n")
        .contains("deep/er 755 0:0\n")
        .contains("deep/er/file 644 0:0\n")
        .contains("\ns..data/dir\n..\n")
        .contains("Read-only file system");
    machine.agent().removeTree("modes");
  }

  @Test
  void aLargeTreeArrivesWhole() {
    byte[] large = new byte[3_000_000];
    new Random(3).nextBytes(large);
    CRC32 crc = new CRC32();
    crc.update(large);
    List<TreeEntry> entries = new ArrayList<>();
    entries.add(new TreeFile("large", 0644, 0, 0, large));
    for (int i = 0; i < 300; i++) {
      entries.add(file("small/" + i, "x".repeat(i)));
    }
    machine.agent().putTree("large", entries);
    assertThat(
            script(machine, "crc32 < /l/large; ls /l/small | wc -l; wc -c < /l/small/299")
                .mount("/l", new TreeSource("large"))
                .run())
        .isEqualToIgnoringCase("%08x\n300\n299\n".formatted(crc.getValue()));
    machine.agent().removeTree("large");
  }

  @Test
  void badEntriesAreRefusedAndChangeNothing() {
    machine.agent().putTree("bad", List.of(file("a", "before")));
    for (String path : List.of("../up", "/etc/passwd", "a/../../b", "..data", "", "..x/y")) {
      refused(
          FailureKind.INVALID,
          () -> machine.agent().putTree("bad", List.of(file("a", "after"), file(path, "x"))));
    }
    // A link of the tree itself does not lead out of it.
    assertThatThrownBy(
            () ->
                machine
                    .agent()
                    .putTree("bad", List.of(new TreeLink("out", "/run"), file("out/escaped", "x"))))
        .isInstanceOf(GuestException.class);
    refused(FailureKind.INVALID, () -> machine.agent().putTree("../bad", List.of()));
    assertThat(script(machine, "cat /b/a; ls /b").mount("/b", new TreeSource("bad")).run())
        .isEqualTo("beforea\n");
    machine.agent().removeTree("bad");
  }

  @Test
  void containersShareAScratchVolume() {
    ScratchSource volume = new ScratchSource("scratch-1", new GuestOwner(1000, 2000, 02770));
    script(machine, "echo shared > /v/file; mkdir /v/sub; ln -s / /v/root; ln -s ../../.. /v/up")
        .mount("/v", volume)
        .run();
    assertThat(
            script(machine, "cat /w/file; stat -c '%a %u:%g' /w; cat /only 2>&1; touch /ro/x")
                .mount("/w", volume)
                .mount(new GuestMount("/only", volume, "file", false))
                .mount(new GuestMount("/ro", volume, "sub", true))
                .run())
        .isEqualTo("shared\n2770 1000:2000\nshared\ntouch: /ro/x: Read-only file system\n");
    // A missing sub path is made, and links do not lead out of the volume.
    assertThat(
            script(machine, "ls /made | wc -l; ls /root; ls /up")
                .mount(new GuestMount("/made", volume, "new/deep", false))
                .mount(new GuestMount("/root", volume, "root", false))
                .mount(new GuestMount("/up", volume, "up", false))
                .run())
        .isEqualTo("0\nfile\nnew\nroot\nsub\nup\nfile\nnew\nroot\nsub\nup\n");
    assertThat(machine.agent().usage().volumes())
        .extracting(VolumeUsage::name)
        .contains("scratch-1");
  }

  @Test
  void aVolumeInMemoryHasItsSize() {
    MemorySource volume = new MemorySource("memory-1", 1 << 20, GuestOwner.EVERYONE);
    assertThat(
            script(machine, "head -c 2000000 /dev/zero > /v/big; wc -c < /v/big; df /v | tail -1")
                .mount("/v", volume)
                .run())
        .startsWith("1048576\n")
        .contains("tmpfs");
    assertThat(machine.agent().usage().volumes()).contains(new VolumeUsage("memory-1", 1 << 20, 1));
  }

  @Test
  void anImageIsAReadOnlyVolume() {
    assertThat(
            script(machine, "cat /i/model; touch /i/x")
                .mount("/i", new ImageSource("image1"))
                .run())
        .isEqualTo("weightstouch: /i/x: Read-only file system\n");
    assertThatThrownBy(
            () -> script(machine, "true").mount("/i", new ImageSource("image2")).create())
        .isInstanceOf(GuestException.class)
        .hasMessageContaining("image2");
    assertThatThrownBy(
            () -> script(machine, "true").mount("/i", new ImageSource("image9")).create())
        .isInstanceOf(GuestException.class)
        .hasMessageContaining("image9");
  }

  @Test
  void theEndOfAFileIsReadAlsoAfterTheProgram() {
    ContainerRecipe container =
        script(machine, "seq 1 1000 > /dev/termination-log")
            .mount("/dev/termination-log", new FileSource("termination"))
            .start();
    container.awaitExit();
    GuestAgent agent = machine.agent();
    assertThat(new String(agent.readFile(container.id(), "termination", 9), UTF_8))
        .isEqualTo("999\n1000\n".substring(0, 9));
    assertThat(agent.readFile(container.id(), "termination", 100_000)).hasSize(3893);
    refused(FailureKind.NOT_FOUND, () -> agent.readFile(container.id(), "other", 10));
    refused(FailureKind.NOT_FOUND, () -> agent.readFile("nobody", "termination", 10));
    container.remove();
    refused(FailureKind.NOT_FOUND, () -> agent.readFile(container.id(), "termination", 10));
  }

  @Test
  void aFileThatAContainerReplacesByALinkIsNotFollowed() {
    ContainerRecipe container =
        script(
                machine,
                "umount /dev/term 2>/dev/null; rm -f /dev/term; ln -s /etc/passwd /dev/term;"
                    + " echo done")
            .mount("/dev/term", new FileSource("term"))
            .start();
    container.awaitExit();
    assertThat(new String(machine.agent().readFile(container.id(), "term", 1000), UTF_8))
        .doesNotContain("root:");
    container.remove();
  }

  @Test
  void mountsInsideMountsAreMadeFromTheOutside() {
    machine.agent().putTree("inner", List.of(file("f", "inner")));
    ScratchSource outer = new ScratchSource("outer", GuestOwner.EVERYONE);
    assertThat(
            script(machine, "cat /o/a/b/f; ls /o; cat /data/outside/in")
                .mount("/o/a/b", new TreeSource("inner"))
                .mount("/o", outer)
                .mount(new GuestMount("/data/outside/in", new TreeSource("inner"), "f", true))
                .run())
        .isEqualTo("innera\ninner");
    machine.agent().removeTree("inner");
  }

  private static TreeFile file(String path, String text) {
    return new TreeFile(path, 0644, 0, 0, text.getBytes(UTF_8));
  }

  private static void refused(FailureKind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(GuestException.class))
        .extracting(GuestException::kind)
        .isEqualTo(kind);
  }
}
