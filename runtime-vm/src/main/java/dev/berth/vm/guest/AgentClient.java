package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestContainerState;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestUsage;
import dev.berth.vm.guest.model.TreeEntry;
import dev.berth.vm.guest.wire.AnswerBody;
import dev.berth.vm.guest.wire.ContainerBody;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.GuestOperation;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/// The requests of a connection.
final class AgentClient implements GuestAgent {
  private static final int SEED_BYTES = 64;
  private static final int LONGEST_FILE = 1 << 20;
  private static final int HIGHEST_U16 = 65535;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final AgentConnection connection;
  private final Duration limit;
  private final AtomicInteger trees = new AtomicInteger();

  AgentClient(AgentConnection connection, Duration limit) {
    this.connection = connection;
    this.limit = limit;
  }

  @Override
  public void configure(GuestConfig config, InstantSource clock) {
    byte[] seed = new byte[SEED_BYTES];
    RANDOM.nextBytes(seed);
    GuestRequest request =
        GuestRequest.of(
            GuestOperation.CONFIGURE,
            "guest %s cannot be configured".formatted(connection.guest()));
    ContainerBody.configuration(request.body(), config, clock.instant(), seed);
    send(request);
  }

  @Override
  public void create(GuestContainer container) {
    GuestRequest request = about(GuestOperation.CREATE, "created", container.id(), false);
    ContainerBody.container(request.body(), container);
    send(request);
  }

  @Override
  public void start(String container) {
    send(about(GuestOperation.START, "started", container, true));
  }

  @Override
  public void signal(String container, int number) {
    GuestRequest request = about(GuestOperation.SIGNAL, "signalled", container, true);
    request.body().u32(number);
    send(request);
  }

  @Override
  public void remove(String container) {
    send(
        about(GuestOperation.REMOVE, "removed", container, true)
            .withHook((_, _) -> connection.outputs().forget(container)));
  }

  @Override
  public void limits(String container, GuestLimits limits) {
    GuestRequest request = about(GuestOperation.LIMITS, "resized", container, true);
    ContainerBody.limits(request.body(), limits);
    send(request);
  }

  @Override
  public OutputStream input(String container) {
    GuestRequest request = about(GuestOperation.INPUT, "attached to", container, true);
    return open(
            request,
            id ->
                new InputChannel(
                    new ChannelOutput(connection, id, () -> connection.channels().remove(id))))
        .output();
  }

  @Override
  public void resize(String container, int columns, int rows) {
    GuestRequest request = about(GuestOperation.RESIZE, "given a terminal size", container, true);
    request.body().u16(u16(columns)).u16(u16(rows));
    send(request);
  }

  @Override
  public GuestProcess exec(GuestExec exec, OutputSink sink) {
    GuestRequest request =
        about(GuestOperation.EXEC, "given a program to run", exec.container(), true);
    request.body().strings(exec.args()).bool(exec.tty()).bool(exec.stdin());
    ProcessChannel channel =
        open(
            request,
            id -> {
              ProcessChannel opened =
                  new ProcessChannel(connection, id, sink, () -> connection.channels().remove(id));
              opened.opened();
              return opened;
            });
    return new RunningProcess(this, channel, exec.stdin(), limit);
  }

  void resizeExec(int channel, int columns, int rows) {
    GuestRequest request = aboutExec(GuestOperation.EXEC_RESIZE, channel);
    request.body().u16(u16(columns)).u16(u16(rows));
    sendUnlessGone(request);
  }

  void signalExec(int channel, int number) {
    GuestRequest request = aboutExec(GuestOperation.EXEC_SIGNAL, channel);
    request.body().u32(number);
    sendUnlessGone(request);
  }

  @Override
  public GuestConnection connect(int port) {
    GuestRequest request =
        GuestRequest.of(
            GuestOperation.CONNECT,
            "port %d of guest %s cannot be reached".formatted(port, connection.guest()));
    if (port < 1 || port > HIGHEST_U16) {
      throw new GuestException(
          FailureKind.INVALID, new Problem(request.failure(), "ports go from 1 to 65535", ""));
    }
    request.body().u16(port);
    return open(
        request, id -> new PortChannel(connection, id, () -> connection.channels().remove(id)));
  }

  @Override
  public void putTree(String name, List<TreeEntry> entries) {
    int tree = trees.incrementAndGet();
    GuestRequest begin = aboutTree(GuestOperation.TREE_BEGIN, "written", name);
    begin.body().u32(tree).string(name);
    send(begin);
    TreeUpload upload =
        new TreeUpload(
            (count, piece) -> {
              GuestRequest add = aboutTree(GuestOperation.TREE_ADD, "written", name);
              add.body().u32(tree).u32(count).raw(piece.toBytes());
              send(add);
            });
    entries.forEach(upload::add);
    upload.flush();
    GuestRequest commit = aboutTree(GuestOperation.TREE_COMMIT, "written", name);
    commit.body().u32(tree);
    send(commit);
  }

  @Override
  public void removeTree(String name) {
    GuestRequest request = aboutTree(GuestOperation.TREE_REMOVE, "removed", name);
    request.body().string(name);
    send(request);
  }

  @Override
  public byte[] readFile(String container, String name, int bound) {
    int most = Math.clamp(bound, 0, LONGEST_FILE);
    GuestRequest request =
        GuestRequest.of(
                GuestOperation.READ_FILE,
                "file %s of container %s cannot be read".formatted(name, container))
            .withAnswer(most);
    request.body().string(container).string(name).u32(most);
    return connection.call(request, body -> body.bytes(most));
  }

  @Override
  public List<GuestContainerState> list() {
    return connection.call(
        GuestRequest.of(
            GuestOperation.LIST,
            "the containers of guest %s are unknown".formatted(connection.guest())),
        AnswerBody::states);
  }

  @Override
  public GuestUsage usage() {
    return connection.call(
        GuestRequest.of(
            GuestOperation.USAGE, "the usage of guest %s is unknown".formatted(connection.guest())),
        AnswerBody::usage);
  }

  @Override
  public void shutdown() {
    try {
      send(
          GuestRequest.of(
              GuestOperation.SHUTDOWN,
              "guest %s cannot be shut down".formatted(connection.guest())));
    } catch (GuestException e) {
      // The machine may stop before its answer is on the way.
      if (e.kind() != FailureKind.DISCONNECTED) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    connection.close();
  }

  /// Opens a channel. A channel whose opener gave up is reset as soon as the guest opens it.
  private <C extends GuestChannel> C open(GuestRequest request, IntFunction<C> factory) {
    AtomicReference<C> opened = new AtomicReference<>();
    connection.channels().reserve(request.failure());
    try {
      send(
          request.withHook(
              (id, awaited) -> {
                if (awaited) {
                  C channel = factory.apply(id);
                  opened.set(channel);
                  connection.channels().add(id, channel);
                } else {
                  connection.sendNow(FrameType.RESET, id, new byte[0]);
                }
              }));
      return opened.get();
    } finally {
      if (opened.get() == null) {
        connection.channels().cancel();
      }
    }
  }

  private void send(GuestRequest request) {
    connection.call(request, _ -> true);
  }

  /// For programs, which end when they like.
  private void sendUnlessGone(GuestRequest request) {
    try {
      send(request);
    } catch (GuestException e) {
      if (e.kind() != FailureKind.NOT_FOUND) {
        throw e;
      }
    }
  }

  private static GuestRequest about(
      GuestOperation operation, String verb, String container, boolean named) {
    GuestRequest request =
        GuestRequest.of(operation, "container %s cannot be %s".formatted(container, verb));
    if (named) {
      request.body().string(container);
    }
    return request;
  }

  private GuestRequest aboutExec(GuestOperation operation, int channel) {
    GuestRequest request =
        GuestRequest.of(
            operation,
            "the program %d in guest %s cannot be reached".formatted(channel, connection.guest()));
    request.body().u32(channel);
    return request;
  }

  private static GuestRequest aboutTree(GuestOperation operation, String verb, String name) {
    return GuestRequest.of(operation, "volume %s cannot be %s".formatted(name, verb));
  }

  private static int u16(int value) {
    return Math.clamp(value, 0, HIGHEST_U16);
  }
}
