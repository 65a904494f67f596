package dev.berth.vm.images.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.images.TarBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Layers of strangers.
final class LayerConverterTest {
  @TempDir Path directory;

  private LayerFiles convert(byte[] tar) throws IOException {
    return convert(tar, LayerLimits.USUAL);
  }

  private LayerFiles convert(byte[] tar, LayerLimits limits) throws IOException {
    LayerFiles files = new LayerFiles(Files.createTempDirectory(directory, "layer"));
    new LayerConverter(limits).convert(new ByteArrayInputStream(tar), files);
    return files;
  }

  private LayerEntry only(TarBuilder tar) throws IOException {
    List<LayerEntry> entries = convert(tar.build()).entries();
    assertThat(entries).hasSize(1);
    return entries.getFirst();
  }

  @Test
  void contentsStartAtBlocksAndTheRestOfABlockIsZero() throws IOException {
    byte[] large = new byte[3 * 1024 * 1024 + 5];
    Arrays.fill(large, (byte) 7);
    LayerFiles files =
        convert(new TarBuilder().file("a", "one").file("b", large).file("c", "two").build());

    assertThat(files.entries()).extracting(LayerEntry::firstBlock).containsExactly(0, 1, 770);
    assertThat(files.dataBytes()).isEqualTo(771 * 4096);
    byte[] data = Files.readAllBytes(files.data());
    assertThat(Arrays.copyOf(data, 4096))
        .isEqualTo(Arrays.copyOf("one".getBytes(StandardCharsets.UTF_8), 4096));
    assertThat(Arrays.copyOfRange(data, 4096, 4096 + large.length)).isEqualTo(large);
    assertThat(data[4096 + large.length]).isZero();
  }

  @Test
  void extendedHeadersReplaceTheFieldsOfTheHeader() throws IOException {
    LayerEntry entry =
        only(
            new TarBuilder()
                .pax(
                    Map.of(
                        "path", "caf\u00c3\u00a9/" + "n".repeat(250),
                        "uid", "4000000000",
                        "mtime", "-1.25",
                        "gname", "1\n2=3",
                        "SCHILY.xattr.trusted.overlay.redirect", "/etc",
                        "SCHILY.xattr.user.overlay.opaque", "y",
                        "SCHILY.xattr.security.selinux", "label"))
                .file("short", "x"));

    assertThat(entry.path()).isEqualTo("caf\u00c3\u00a9/" + "n".repeat(250));
    assertThat(entry.uid()).isEqualTo(4_000_000_000L);
    assertThat(entry.mtimeSeconds()).isEqualTo(-2);
    assertThat(entry.mtimeNanos()).isEqualTo(750_000_000);
    assertThat(entry.xattrs()).isEmpty();
  }

  @Test
  void attributesOfUsersAndCapabilitiesStay() throws IOException {
    LayerEntry entry =
        only(
            new TarBuilder()
                .pax(
                    Map.of(
                        "SCHILY.xattr.user.note", "1\n2\0",
                        "SCHILY.xattr.security.capability", "\1\0"))
                .file("x", ""));

    assertThat(entry.xattrs()).containsOnlyKeys("user.note", "security.capability");
    assertThat(entry.xattrs().get("user.note")).containsExactly('1', '\n', '2', 0);
  }

  @Test
  void namesAndNumbersOfGnuAreRead() throws IOException {
    String name = "long/".repeat(60) + "name";
    LayerEntry entry =
        only(new TarBuilder().owner(3_000_000_000L, 5).mtime(-7).symlink(name, "t".repeat(300)));

    assertThat(entry.path()).isEqualTo(name);
    assertThat(entry.link()).isEqualTo("t".repeat(300));
    assertThat(entry.uid()).isEqualTo(3_000_000_000L);
    assertThat(entry.mtimeSeconds()).isEqualTo(-7);
  }

  @Test
  void absoluteNamesAndDotsMeanTheImage() throws IOException {
    byte[] tar =
        new TarBuilder().directory(".").file("/etc/passwd", "").file(".//a/./b", "").build();
    assertThat(convert(tar).entries())
        .extracting(LayerEntry::path)
        .containsExactly("", "etc/passwd", "a/b");
  }

  @Test
  void whiteoutsAndMarksOfAufsAreUnderstood() throws IOException {
    byte[] tar =
        new TarBuilder()
            .file("a/.wh.x", "")
            .file("a/.wh..wh..opq", "")
            .file(".wh..wh.aufs", "")
            .file(".wh..wh.plnk/12.34", "")
            .build();
    assertThat(convert(tar).entries())
        .extracting(entry -> entry.type() + " " + entry.path())
        .containsExactly("WHITEOUT a/x", "OPAQUE a");
  }

  static Stream<Arguments> refused() {
    TarBuilder tar = new TarBuilder();
    byte[] negative = tar.header('0', "x", "", 0);
    Arrays.fill(negative, 124, 136, (byte) 0xff);
    byte[] huge = tar.header('0', "x", "", 0);
    Arrays.fill(huge, 124, 136, (byte) 0x7f);
    huge[124] = (byte) 0x80;
    byte[] owner = tar.header('0', "x", "", 0);
    Arrays.fill(owner, 108, 116, (byte) 0xff);
    return Stream.of(
        refusal("leads out with ..", new TarBuilder().file("a/../../etc/passwd", "")),
        refusal("leads out with ..", new TarBuilder().hardLink("x", "../../etc/passwd")),
        refusal("leads out with ..", new TarBuilder().pax(Map.of("path", "..")).file("x", "")),
        refusal("has a zero byte", new TarBuilder().pax(Map.of("path", "a\0b")).file("x", "")),
        refusal("more than 255 bytes", new TarBuilder().file("n".repeat(256), "")),
        refusal("more than 4096 bytes", new TarBuilder().file("n/".repeat(2100), "")),
        refusal("has no target", new TarBuilder().symlink("x", "")),
        refusal("has no target", new TarBuilder().symlink("x", "t".repeat(4096))),
        refusal("not a proper whiteout", new TarBuilder().file("a/.wh.", "")),
        refusal("not a proper whiteout", new TarBuilder().file(".wh...", "")),
        refusal("not a proper whiteout", new TarBuilder().file(".wh.a/b", "")),
        refusal("root is not a directory", new TarBuilder().symlink("/", "etc")),
        refusal("has the user -1", new TarBuilder().raw(TarBuilder.withChecksum(owner))),
        refusal("negative size", new TarBuilder().raw(TarBuilder.withChecksum(negative))),
        refusal("too large", new TarBuilder().raw(TarBuilder.withChecksum(huge))),
        refusal("wrong checksum", new TarBuilder().raw(new TarBuilder().header('0', "x", "", 0))),
        refusal("type 'Z'", new TarBuilder().entry('Z', "x", "", new byte[0])),
        refusal("sparse", new TarBuilder().entry('S', "x", "", new byte[0])),
        refusal("sparse", new TarBuilder().pax(Map.of("GNU.sparse.major", "1")).file("x", "")),
        refusal("device 5000:1", new TarBuilder().device('3', "x", 5000, 1)),
        refusal(
            "header of the tar file is broken",
            new TarBuilder()
                .entry('x', "", "", "9 a=b\n".getBytes(StandardCharsets.UTF_8))
                .file("x", "")),
        refusal(
            "header of the tar file is broken",
            new TarBuilder()
                .entry('x', "", "", "99999999 a=b\n".getBytes(StandardCharsets.UTF_8))
                .file("x", "")),
        refusal("is not a number", new TarBuilder().pax(Map.of("uid", "root")).file("x", "")),
        refusal("is not a number", new TarBuilder().pax(Map.of("mtime", "1e9")).file("x", "")),
        refusal(
            "extended headers of more than",
            new TarBuilder().entry('x', "", "", new byte[1_100_000]).file("x", "")),
        refusal(
            "extended headers of more than",
            new TarBuilder()
                .pax(Map.of("a", "b".repeat(600_000)))
                .pax(Map.of("c", "d".repeat(600_000)))
                .file("x", "")),
        refusal(
            "extended attributes of more than",
            new TarBuilder().pax(Map.of("SCHILY.xattr.user.a", "b".repeat(70_000))).file("x", "")),
        refusal("ends behind an extended header", new TarBuilder().pax(Map.of("a", "b"))),
        Arguments.of(
            "ends within the content",
            new TarBuilder()
                .raw(TarBuilder.withChecksum(tar.header('0', "x", "", 600)))
                .raw(new byte[512])
                .buildTruncated()),
        Arguments.of(
            "ends in a header", new TarBuilder().file("x", "").raw(new byte[100]).buildTruncated()),
        refusal(
            "goes on behind its end",
            new TarBuilder().file("x", "").raw(new byte[512]).file("y", "")));
  }

  private static Arguments refusal(String reason, TarBuilder tar) {
    return Arguments.of(reason, tar.build());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void whatNoHonestToolWritesIsRefused(String reason, byte[] tar) {
    assertThatThrownBy(() -> convert(tar)).hasMessageContaining(reason);
  }

  @Test
  void filesAndNamesAreBounded() {
    TarBuilder tar = new TarBuilder();
    for (int i = 0; i < 20; i++) {
      tar.file("file" + i, "");
    }
    byte[] many = tar.build();
    assertThatThrownBy(() -> convert(many, new LayerLimits(1 << 20, 10, 0, 19, 1 << 20)))
        .hasMessageContaining("more than 19 files");
    assertThatThrownBy(() -> convert(many, new LayerLimits(1 << 20, 10, 0, 20, 50)))
        .hasMessageContaining("more than 50 bytes of names");
  }

  @Test
  void anEmptyStreamIsAnEmptyLayer() throws IOException {
    assertThat(convert(new byte[0]).entries()).isEmpty();
    assertThat(convert(new byte[1024]).dataBytes()).isZero();
  }
}
