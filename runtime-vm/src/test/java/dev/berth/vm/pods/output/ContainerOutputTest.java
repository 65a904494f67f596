package dev.berth.vm.pods.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContainerOutputTest {
  @TempDir private Path directory;

  private ContainerOutput open() throws IOException {
    Files.createDirectories(directory.resolve("pod/main"));
    return ContainerOutput.open(log().toString(), directory.resolve("position"), clock());
  }

  private static InstantSource clock() {
    return InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.6Z"));
  }

  private Path log() {
    return directory.resolve("pod/main/0.log");
  }

  private static void print(ContainerOutput output, long offset, String text) {
    output.write(GuestStream.STDOUT, offset, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void whatHasNoEndYetIsAPart() throws IOException {
    ContainerOutput output = open();
    print(output, 0, "a\nb");
    output.write(GuestStream.STDERR, 0, new byte[] {'e', '\n'});
    print(output, 3, "c\n\n");

    assertThat(Files.readString(log()))
        .isEqualTo(
            """
            2026-01-02T03:04:05.6Z stdout F a
            2026-01-02T03:04:05.6Z stdout P b
            2026-01-02T03:04:05.6Z stderr F e
            2026-01-02T03:04:05.6Z stdout F c
            2026-01-02T03:04:05.6Z stdout F\s
            """);
    assertThat(output.position()).isEqualTo(new OutputPosition(6, 2));
  }

  @Test
  void longLinesAreSplit() throws IOException {
    ContainerOutput output = open();
    print(output, 0, "x".repeat(20_000) + "\n");

    assertThat(Files.readAllLines(log())).hasSize(2);
    assertThat(output.position().stdout()).isEqualTo(20_001);
  }

  @Test
  void bytesThatComeTwiceAreLoggedOnce() throws IOException {
    ContainerOutput output = open();
    print(output, 0, "one\n");
    print(output, 0, "one\ntwo\n");
    print(output, 4, "two\n");

    assertThat(Files.readAllLines(log())).hasSize(2);
  }

  @Test
  void aNewProcessGoesOnWhereTheLastLineEnded() throws IOException {
    ContainerOutput killed = open();
    print(killed, 0, "one\n");
    // What came after the position was written: a whole line, and a torn one.
    Files.writeString(
        log(), "2026-01-02T03:04:05.6Z stdout F two\n2026-01-02T", StandardOpenOption.APPEND);

    ContainerOutput next = open();
    assertThat(next.position()).isEqualTo(new OutputPosition(8, 0));
    print(next, 8, "three\n");
    assertThat(Files.readAllLines(log())).hasSize(3);
    assertThat(Files.readAllLines(log()).getLast()).endsWith("F three");
  }

  @Test
  void afterARotationThePositionAloneCounts() throws IOException {
    ContainerOutput output = open();
    print(output, 0, "one\n");
    Files.move(log(), directory.resolve("pod/main/0.log.old"));
    output.reopen();

    ContainerOutput next = open();

    assertThat(next.position().stdout()).isEqualTo(4);
    assertThat(Files.readString(log())).isEmpty();
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    open().close();
    Path victim = Files.writeString(directory.resolve("victim"), "");
    Files.delete(log());
    Files.createSymbolicLink(log(), victim);
    assertThatThrownBy(this::open).isInstanceOf(IOException.class);

    Files.delete(log());
    Files.move(directory.resolve("pod/main"), directory.resolve("elsewhere"));
    Files.createSymbolicLink(directory.resolve("pod/main"), directory.resolve("elsewhere"));
    assertThatThrownBy(this::open).isInstanceOf(IOException.class);
    assertThat(victim).isEmptyFile();
  }

  @Test
  void aClientThatDoesNotReadIsCutOff() throws IOException {
    ContainerOutput output = open();
    AttachedClient client = new AttachedClient();
    output.attach(client);
    for (int i = 0; i < 5000; i++) {
      print(output, i, "x");
    }

    List<String> seen = new ArrayList<>();
    client.serve((_, bytes) -> seen.add(new String(bytes, StandardCharsets.UTF_8)));

    assertThat(seen).hasSizeLessThan(5000);
    assertThat(output.position().stdout()).isEqualTo(5000);
  }
}
