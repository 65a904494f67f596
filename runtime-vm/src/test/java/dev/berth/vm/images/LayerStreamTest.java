package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.TimeBudget;
import dev.berth.vm.images.LayerStream.LayerTimeException;
import dev.berth.vm.images.layers.LayerLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Blobs of layers in any form.
final class LayerStreamTest {
  private static final LayerLimits SMALL = new LayerLimits(2_000_000, 10, 100_000, 10, 10);

  private final byte[] content =
      "content of a layer ".repeat(10_000).getBytes(StandardCharsets.UTF_8);

  private static LayerStream open(byte[] blob, LayerLimits limits, Duration time)
      throws IOException {
    return new LayerStream(
        new ByteArrayInputStream(blob), blob.length, "type", limits, TimeBudget.startingNow(time));
  }

  private static LayerStream open(byte[] blob) throws IOException {
    return open(blob, LayerLimits.USUAL, Duration.ofMinutes(1));
  }

  @Test
  void whatIsCompressedOrNotGivesTheSameContentAndDigest() throws IOException {
    for (byte[] blob : new byte[][] {content, TarBuilder.gzip(content)}) {
      LayerStream stream = open(blob);
      assertThat(stream.readAllBytes()).isEqualTo(content);
      assertThat(stream.digest()).isEqualTo(ContentDigest.of(content));
    }
  }

  @Test
  void partsThatAreCompressedByThemselvesAreOneContent() throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    for (int i = 0; i < 5; i++) {
      parts.writeBytes(TarBuilder.gzip(content));
    }
    assertThat(open(parts.toByteArray()).readAllBytes()).hasSize(5 * content.length);
  }

  @Test
  void aBombEndsEarly() throws IOException {
    byte[] bomb = TarBuilder.gzip(new byte[1_500_000]);
    assertThatThrownBy(() -> open(bomb, SMALL, Duration.ofMinutes(1)).readAllBytes())
        .hasMessageContaining("more than 100000 bytes, which is too much for its compressed size");
    byte[] large = new byte[2_000_001];
    assertThatThrownBy(() -> open(large, SMALL, Duration.ofMinutes(1)).readAllBytes())
        .hasMessageContaining("more than 2000000 bytes");
    assertThat(open(new byte[2_000_000], SMALL, Duration.ofMinutes(1)).readAllBytes())
        .hasSize(2_000_000);
  }

  @Test
  void zstdIsNamed() {
    assertThatThrownBy(() -> open(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}))
        .hasMessage(
            "it is compressed with zstd (type), which is not supported; gzip and no compression are");
  }

  @Test
  void timeIsBounded() {
    assertThatThrownBy(() -> open(content, SMALL, Duration.ZERO).read())
        .isInstanceOf(LayerTimeException.class);
  }
}
