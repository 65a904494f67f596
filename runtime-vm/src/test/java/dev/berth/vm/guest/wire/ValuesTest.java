package dev.berth.vm.guest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestUsage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Values as the protocol writes them, and as a guest may send them.
final class ValuesTest {
  private static final Instant TIME = Instant.parse("2026-11-19T10:00:00.123456789Z");

  @Test
  void valuesComeBackAsTheyWereWritten() {
    BodyWriter body =
        new BodyWriter()
            .u8(200)
            .bool(true)
            .u16(65535)
            .u32(4_000_000_000L)
            .i64(-5)
            .time(TIME)
            .string("Wörter")
            .strings(List.of("a", "b"))
            .map(Map.of("key", "value"));
    BodyReader reader = new BodyReader(body.toBytes());
    assertThat(reader.u8()).isEqualTo(200);
    assertThat(reader.bool()).isTrue();
    assertThat(reader.u16()).isEqualTo(65535);
    assertThat(reader.u32()).isEqualTo(4_000_000_000L);
    assertThat(reader.i64()).isEqualTo(-5);
    assertThat(reader.time()).isEqualTo(TIME);
    assertThat(reader.text(100)).isEqualTo("Wörter");
    assertThat(reader.list(2, 4, BodyReader::name)).containsExactly("a", "b");
    assertThat(reader.list(1, 8, entry -> entry.name() + entry.name())).containsExactly("keyvalue");
    reader.end();
  }

  /// The bytes are the protocol's: the program in the guest reads the same.
  @Test
  void aContainerHasTheProtocolsForm() {
    BodyWriter body = new BodyWriter();
    ContainerBody.container(body, GuestContainer.of("c", "image0", List.of("sh")));
    assertThat(HexFormat.of().formatHex(body.toBytes()))
        .isEqualTo(
            // id, disk, args
            "0000000163"
                + "00000006696d61676530"
                + "00000001000000027368"
                // environment
                + "0000000100000041"
                + HexFormat.of()
                    .formatHex(
                        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
                            .getBytes(StandardCharsets.UTF_8))
                // working directory; user 0:0 without group, groups and strictness
                + "00000000"
                + "00000003303a30"
                + "00"
                + "00000000"
                + "00"
                // capabilities, three flags, two lists of paths, mounts
                + "00000000a80425fb"
                + "0000000000000000"
                + "000000"
                + "0000000000000000"
                + "00000000"
                // quota, period, weight, memory, pids, adjustment, unified
                + "0000000000000000"
                + "0000000000000000"
                + "0000000000000027"
                + "0000000000000000"
                + "0000000000000000"
                + "00000000"
                + "00000000"
                // processes, target, terminal and input
                + "00"
                + "00000000"
                + "000000");
  }

  @Test
  void textsOfAGuestCannotControlATerminalOrALog() {
    assertThat(CleanText.of("a\u001b[2J\nb\u202Ec\u2028")).isEqualTo("a?[2J?b?c?");
    assertThat(CleanText.of("x".repeat(5000))).hasSize(1000);
  }

  @Test
  void aRequestThatCannotBeSentIsRefusedHere() {
    assertThatThrownBy(() -> new BodyWriter().string("a\0b"))
        .isInstanceOf(GuestException.class)
        .hasMessageContaining("a text has a NUL character: a?b");
    assertThatThrownBy(() -> new BodyWriter().raw(new byte[WireFrame.MAXIMUM_BODY + 1]))
        .isInstanceOf(GuestException.class)
        .hasMessageContaining("it has more than 2097152 bytes");
  }

  @Test
  void statisticsThatAreTooLargeAreTheLargest() {
    BodyWriter body = new BodyWriter();
    for (int i = 0; i < 10; i++) {
      body.i64(i == 3 ? -1 : i);
    }
    GuestUsage usage = AnswerBody.usage(new BodyReader(body.u32(0).u32(0).toBytes()));
    assertThat(usage.scratchTotalBytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(usage.network().sendErrors()).isEqualTo(9);
  }

  @Test
  void anExitHasTheProtocolsForm() {
    BodyReader body =
        new BodyReader(new BodyWriter().i32(137).i32(9).bool(true).time(TIME).toBytes());
    assertThat(body.exit()).isEqualTo(new GuestExit(137, 9, true, TIME));
  }

  /// Whatever comes is a value or a violation, never another exception.
  @Test
  void randomBytesAreValuesOrViolations() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      // Small counts are likelier to come far.
      for (int zero = 0; zero < 3 && bytes.length > 3; zero++) {
        bytes[zero] = 0;
      }
      try {
        AnswerBody.states(new BodyReader(bytes));
        AnswerBody.usage(new BodyReader(bytes));
      } catch (ProtocolViolation expected) {
        assertThat(expected.getMessage()).isNotEmpty();
      }
    }
  }
}
