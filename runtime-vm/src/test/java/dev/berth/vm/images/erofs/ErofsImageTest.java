package dev.berth.vm.images.erofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.vm.images.TarBuilder;
import dev.berth.vm.images.TestStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// File systems that erofs-utils accept.
final class ErofsImageTest {
  @TempDir Path directory;

  @Test
  void everyKindOfFileIsThere() throws IOException {
    TarBuilder tar = new TarBuilder().mode(0755).directory("bin").file("bin/sh", "x".repeat(5000));
    tar.owner(100_000, 70_000).mode(04755).mtime(-5).file("bin/su", "su").owner(0, 0);
    tar.mode(0777).symlink("sh", "bin/sh").symlink("long", "/t".repeat(2040)).fifo("fifo");
    tar.device('3', "null", 1, 3).device('4', "sda", 8, 300).hardLink("sh2", "bin/sh");
    tar.pax(
            Map.of(
                "SCHILY.xattr.user.note",
                "hello",
                "SCHILY.xattr.security.capability",
                "\1\0\0\2\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0"))
        .file("ping", "ping");
    for (int i = 0; i < 3000; i++) {
      tar.file("many/file-number-" + i, "");
    }
    for (int i = 0; i < 100; i++) {
      tar.symlink("links/" + i, "x".repeat(i * 41 + 1));
    }
    Path disk = TestStack.disk(directory, List.of(tar.build()));
    assertThat(TestStack.run("fsck.erofs", disk.toString())).isEmpty();
    TestStack.run("cp", disk.toString(), "/tmp/vmimages-disk");
  }
}
