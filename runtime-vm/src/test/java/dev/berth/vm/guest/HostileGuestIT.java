package dev.berth.vm.guest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.GuestOperation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a guest sends that does not fit the protocol ends its connection, with the reason.
@Timeout(120)
final class HostileGuestIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final byte[] HEADER_OF_OUTPUT = {(byte) 0xB7, 10, 0, 0, 0, 0, 0, 0};

  @TempDir private Path directory;
  private final RecordingListener listener = new RecordingListener();
  private FakeGuest guest;

  @BeforeEach
  void listen() throws Exception {
    guest = new FakeGuest(directory.resolve("agent.sock"));
  }

  @AfterEach
  void stop() throws Exception {
    guest.close();
  }

  /// What a guest does while a program of channel 1 runs and request 2 waits.
  @FunctionalInterface
  interface HostileAct {
    void accept(FakeGuest guest) throws IOException;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("acts")
  void endsTheConnection(String why, HostileAct act) throws Exception {
    try (GuestAgent agent = guest.connect(LIMIT, listener)) {
      FutureTask<GuestProcess> exec =
          GuestCalls.start(
              () -> agent.exec(new GuestExec("a", List.of("sh"), false, true), (_, _) -> {}));
      guest.accept(GuestOperation.EXEC);
      GuestProcess process = exec.get();
      FutureTask<?> list = GuestCalls.start(agent::list);
      guest.request(GuestOperation.LIST);

      act.accept(guest);

      assertThat(listener.awaitEnd().why()).isEqualTo("it broke the protocol: " + why);
      GuestException failure = GuestCalls.failure(list);
      assertThat(failure.kind()).isEqualTo(FailureKind.HOSTILE);
      assertThat(GuestCalls.failure(GuestCalls.start(() -> process.exit(LIMIT))).kind())
          .isEqualTo(FailureKind.HOSTILE);
      assertThat(GuestCalls.failure(GuestCalls.run(() -> agent.start("a"))).kind())
          .isEqualTo(FailureKind.HOSTILE);
    }
    assertThat(listener.ends()).hasSize(1);
  }

  static Stream<Arguments> acts() {
    return Stream.concat(
        Stream.concat(frames(), answers()), Stream.concat(reports(), ofChannels()));
  }

  private static Stream<Arguments> frames() {
    byte[] wrong = WireFrame.encode(FrameType.EXITED, 0, new byte[30]);
    wrong[20] ^= 1;
    return Stream.of(
        act("a byte 71 where a frame starts", guest -> guest.raw("GET / HTTP".getBytes(UTF_8))),
        act("EXITED with a wrong checksum", guest -> guest.raw(wrong)),
        act(
            "OUTPUT with a payload of 4294967295 bytes, which may have 16384",
            guest -> guest.raw(header(-1))),
        act(
            "OUTPUT with a payload of 16385 bytes, which may have 16384",
            guest -> guest.raw(header(16385))),
        act("a frame of the unknown type 99", guest -> guest.raw(changed(1, 99))),
        act("a frame of the unknown type 0", guest -> guest.raw(changed(1, 0))),
        act("a frame ACK, which only the other side sends", guest -> guest.raw(changed(1, 11))),
        act("EXITED with the flags 1 and 0", guest -> guest.raw(changed(2, 1))),
        act("EXITED with the flags 0 and 9", guest -> guest.raw(changed(3, 9))),
        act("EXITED with the id 16777216", guest -> guest.raw(changed(4, 1))),
        act(
            "CREDIT with the id 0",
            guest -> guest.send(FrameType.CREDIT, 0, new BodyWriter().u32(1))),
        act("WELCOME in a conversation", guest -> guest.welcome(new byte[0], WireFrame.VERSION)));
  }

  private static Stream<Arguments> answers() {
    String unknown = ", which nobody sent or which was answered before";
    return Stream.of(
        act("an answer to request 77" + unknown, guest -> guest.answer(77, new BodyWriter())),
        act("an answer to request 1" + unknown, guest -> guest.answer(1, new BodyWriter())),
        act("the value 6 where 0 to 5 can be", guest -> guest.refuse(2, 6, "no such status", "")),
        act(
            "a length of 4294967295 where 256 is the most",
            guest -> guest.answer(2, new BodyWriter().u32(-1))),
        act(
            "a body that ends 3840 bytes too early",
            guest -> guest.answer(2, new BodyWriter().u32(256).raw(new byte[0]))),
        act(
            "9 bytes after a body",
            guest -> guest.answer(2, new BodyWriter().u32(0).raw(new byte[9]))),
        act(
            "the name ../etc",
            guest -> guest.answer(2, new BodyWriter().u32(1).string("../etc").raw(new byte[20]))),
        act(
            "the value 2 where 0 to 1 can be",
            guest ->
                guest.answer(2, new BodyWriter().u32(1).string("a").i64(0).u8(2).raw(new byte[9]))),
        act(
            "an answer to LIST of more than 262144 bytes",
            guest -> guest.answer(2, new BodyWriter().raw(new byte[300_000]))),
        act(
            "an answer to LIST of more than 262144 bytes",
            guest -> {
              // Never complete: all frames say that more comes.
              byte[] frame = WireFrame.encode(FrameType.ANSWER, 2, new byte[20_000]);
              for (int i = 0; i < 17; i++) {
                guest.raw(Arrays.copyOf(frame, 16400));
              }
            }));
  }

  private static Stream<Arguments> reports() {
    return Stream.of(
        act(
            "output of container a from byte 5, after byte 2",
            guest -> {
              guest.output("a", GuestStream.STDOUT, 0, "ab");
              guest.output("a", GuestStream.STDOUT, 5, "gap");
            }),
        act(
            "output of container a from byte 0, after byte 2",
            guest -> {
              guest.output("a", GuestStream.STDOUT, 0, "ab");
              guest.output("a", GuestStream.STDOUT, 0, "ab");
            }),
        act(
            "the number 18446744073709551615",
            guest -> guest.output("a", GuestStream.STDOUT, -1, "x")),
        act("long overflow", guest -> guest.output("a", GuestStream.STDERR, Long.MAX_VALUE, "x")),
        act(
            "a second exit of container a",
            guest -> {
              guest.exited(0, "a", 0);
              guest.exited(0, "a", 0);
            }),
        act(
            "output of container a after its exit",
            guest -> {
              guest.exited(0, "a", 0);
              guest.output("a", GuestStream.STDOUT, 0, "x");
            }),
        act("the value 256 where 0 to 255 can be", guest -> guest.exited(0, "a", 256)),
        act("the name a?b", guest -> guest.exited(0, "a\nb", 0)),
        act("a length of 201 where 200 is the most", guest -> guest.exited(0, "a".repeat(201), 0)),
        act(
            "output of more than 256 containers",
            guest -> {
              for (int i = 0; i <= 256; i++) {
                guest.exited(0, "c" + i, 0);
              }
            }));
  }

  private static Stream<Arguments> ofChannels() {
    return Stream.of(
        act(
            "credit for 1 bytes of which 0 were sent",
            guest -> guest.send(FrameType.CREDIT, 1, new BodyWriter().u32(1))),
        act(
            "DATA of channel 5, which nobody asked for",
            guest -> guest.data(5, GuestStream.STDOUT, "x")),
        act(
            "the end of a direction that a channel does not have",
            guest -> guest.send(FrameType.END, 1, new BodyWriter())),
        act(
            "3 bytes after a body",
            guest -> guest.send(FrameType.RESET, 1, new BodyWriter().raw(new byte[3]))));
  }

  @Test
  void outputBeyondTheWindowEndsTheConnection() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    listener.onOutput(() -> GuestCalls.await(never));
    try (GuestAgent _ = guest.connect(Duration.ofSeconds(1), listener)) {
      for (int offset = 0; offset < 65536; offset += 8192) {
        guest.output("a", GuestStream.STDOUT, offset, new byte[8192]);
      }
      guest.output("a", GuestStream.STDOUT, 65536, "x");
      assertThat(listener.awaitEnd().why())
          .isEqualTo(
              "it broke the protocol: 65537 bytes of output of container a without"
                  + " acknowledgement");
    }
    never.countDown();
  }

  @Test
  void outputOfManyContainersFillsNoMemory() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    listener.onOutput(() -> GuestCalls.await(free));
    try (GuestAgent agent = guest.connect(LIMIT, listener)) {
      FutureTask<Boolean> sent =
          GuestCalls.run(
              () -> {
                try {
                  for (int i = 0; i < 200; i++) {
                    for (int offset = 0; offset < 65536; offset += 16000) {
                      guest.output(
                          "c" + i,
                          GuestStream.STDOUT,
                          offset,
                          new byte[Math.min(16000, 65536 - offset)]);
                    }
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      // 13 MB are on their way; what does not fit stays in the guest.
      RecordingListener.await("much output", () -> guest.written() > 1_000_000);
      assertThat(guest.written()).isLessThan(4_000_000);
      free.countDown();
      sent.get();
      RecordingListener.await(
          "all output", () -> listener.size("c199", GuestStream.STDOUT) == 65536);
      assertThat(agent).isNotNull();
    }
    assertThat(listener.gaps()).isEmpty();
  }

  @Test
  void aGuestThatSendsGarbageInsteadOfTheNonceIsGivenUp() throws Exception {
    FutureTask<GuestAgent> connecting =
        GuestCalls.start(
            () -> GuestAgent.connect(directory.resolve("agent.sock"), LIMIT, listener));
    guest.accept();
    FutureTask<Boolean> garbage =
        GuestCalls.run(
            () -> {
              try {
                while (true) {
                  guest.raw(new byte[65536]);
                }
              } catch (IOException e) {
                // The other side closed the socket.
              }
            });
    assertThat(GuestCalls.failure(connecting))
        .hasMessageContaining("1048576 bytes without the answer to HELLO");
    garbage.get();
  }

  private static Arguments act(String why, HostileAct act) {
    return arguments(why, act);
  }

  private static byte[] header(int length) {
    return ByteBuffer.allocate(16).put(HEADER_OF_OUTPUT).putInt(length).putInt(0).array();
  }

  /// A frame `EXITED` with another byte in its header.
  private static byte[] changed(int index, int value) {
    byte[] frame = WireFrame.encode(FrameType.EXITED, 0, new byte[0]);
    frame[index] = (byte) value;
    return frame;
  }
}
