package dev.berth.vm.guest;

import static dev.berth.vm.guest.model.GuestStream.STDERR;
import static dev.berth.vm.guest.model.GuestStream.STDOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.guest.StreamBuffer.StreamChunk;
import dev.berth.vm.guest.wire.ProtocolViolation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How received bytes are kept, and which of them a guest may send.
final class StreamBufferTest {
  private final StreamBuffer buffer = new StreamBuffer();

  @Test
  void theStreamThatCameFirstIsTakenFirstAndWhole() {
    add("err", true);
    add("out1", false);
    add("or", true);
    add("out2", false);
    assertThat(takeAll()).containsExactly("STDERR:error", "STDOUT:out1out2");
    assertThat(buffer.isEmpty()).isTrue();
    add("again", false);
    assertThat(takeAll()).containsExactly("STDOUT:again");
  }

  @Test
  void bytesAreTakenInPieces() {
    add("abcdef", false);
    byte[] target = new byte[10];
    assertThat(buffer.take(target, 1, 4)).isEqualTo(4);
    add("ghi", false);
    assertThat(buffer.take(target, 5, 5)).isEqualTo(5);
    assertThat(new String(target, 1, 9, StandardCharsets.UTF_8)).isEqualTo("abcdefghi");
    assertThat(buffer.take(target, 0, 5)).isZero();
  }

  @Test
  void clearingSaysHowMuchWasThere() {
    add("abc", false);
    add("de", true);
    assertThat(buffer.clear()).isEqualTo(5);
    assertThat(buffer.isEmpty()).isTrue();
  }

  @Test
  void outputIsAcknowledgedInLargePiecesWhileMoreWaits() {
    StreamPosition position = new StreamPosition(100);
    position.received("a", 100, 40_000);
    assertThat(position.delivered(10_000, true)).isEqualTo(-1);
    assertThat(position.delivered(10_000, true)).isEqualTo(20_100);
    assertThat(position.delivered(5, false)).isEqualTo(20_105);
    assertThatThrownBy(() -> position.received("a", 40_100, 65_537 - 19_995))
        .isInstanceOf(ProtocolViolation.class);
    position.received("a", 40_100, 65_536 - 19_995);
  }

  @Test
  void theFirstByteMayBeNewerThanWhatTheListenerHasButNotOlder() {
    StreamPosition newer = new StreamPosition(100);
    newer.received("a", 300, 5);
    assertThat(newer.delivered()).isEqualTo(300);
    assertThatThrownBy(() -> newer.received("a", 400, 5)).isInstanceOf(ProtocolViolation.class);
    StreamPosition older = new StreamPosition(100);
    assertThatThrownBy(() -> older.received("a", 99, 5)).isInstanceOf(ProtocolViolation.class);
  }

  private void add(String text, boolean error) {
    buffer.add(error ? STDERR : STDOUT, text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> takeAll() {
    List<String> taken = new ArrayList<>();
    for (Optional<StreamChunk> next = buffer.take(); next.isPresent(); next = buffer.take()) {
      StreamChunk chunk = next.get();
      taken.add(chunk.stream() + ":" + new String(chunk.bytes(), StandardCharsets.UTF_8));
    }
    return taken;
  }
}
