package dev.berth.vm.service;

import dev.berth.api.Problem;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.GuestConnection;
import dev.berth.vm.guest.GuestListener;
import dev.berth.vm.guest.GuestProcess;
import dev.berth.vm.guest.OutputSink;
import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestContainerState;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.GuestUsage;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.model.TreeEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A guest in memory. Its containers run until a test or a signal ends them; a container that
/// ignores SIGTERM has `deaf` as its command.
final class FakeGuest {
  final Map<String, FakeProgram> programs = new ConcurrentHashMap<>();
  final Map<String, List<TreeEntry>> trees = new ConcurrentHashMap<>();
  final List<GuestConfig> configurations = new CopyOnWriteArrayList<>();

  /// What clients were connected with, in turn.
  final List<Map<String, OutputPosition>> connects = new CopyOnWriteArrayList<>();

  /// Requests fail from then on, as those of a guest that hangs.
  volatile boolean hangs;

  /// The only client.
  private volatile @Nullable GuestListener client;

  /// A container, and what its program did.
  @SuppressWarnings("JdkObsolete") // Several threads print.
  static final class FakeProgram {
    final GuestContainer config;
    volatile GuestLimits limits;
    volatile @Nullable Instant started;
    volatile @Nullable GuestExit exit;
    final StringBuffer stdout = new StringBuffer();
    final ByteArrayOutputStream input = new ByteArrayOutputStream();
    volatile String message = "";

    FakeProgram(GuestContainer config) {
      this.config = config;
      this.limits = config.limits();
    }
  }

  GuestAgent connect(GuestListener listener, Map<String, OutputPosition> positions) {
    answer();
    connects.add(Map.copyOf(positions));
    client = listener;
    programs.forEach(
        (id, program) -> {
          long from = positions.getOrDefault(id, OutputPosition.START).stdout();
          String rest = program.stdout.substring((int) from);
          if (!rest.isEmpty()) {
            listener.output(id, GuestStream.STDOUT, from, rest.getBytes(StandardCharsets.UTF_8));
          }
          GuestExit exit = program.exit;
          if (exit != null) {
            listener.exited(id, exit);
          }
        });
    return new Agent(listener);
  }

  /// Breaks the connection, as a guest that is restarted by nobody would.
  void disconnect() {
    GuestListener listener = client;
    client = null;
    if (listener != null) {
      listener.disconnected(new Problem("the connection ended", "a test ended it", ""));
    }
  }

  void print(String container, String text) {
    FakeProgram program = program(container);
    long offset = program.stdout.length();
    program.stdout.append(text);
    GuestListener listener = client;
    if (listener != null) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      listener.output(container, GuestStream.STDOUT, offset, bytes);
    }
  }

  void end(String container, int code) {
    end(container, code, false);
  }

  void end(String container, int code, boolean outOfMemory) {
    FakeProgram program = program(container);
    if (program.exit == null && program.started != null) {
      GuestExit exit = new GuestExit(code, code > 128 ? code - 128 : 0, outOfMemory, Instant.now());
      program.exit = exit;
      GuestListener listener = client;
      if (listener != null) {
        listener.exited(container, exit);
      }
    }
  }

  FakeProgram program(String container) {
    FakeProgram program = programs.get(container);
    if (program == null) {
      throw failure(FailureKind.NOT_FOUND, "no container " + container);
    }
    return program;
  }

  private void answer() {
    if (hangs) {
      throw failure(FailureKind.TIMEOUT, "no answer");
    }
  }

  static GuestException failure(FailureKind kind, String why) {
    return new GuestException(kind, new Problem("the guest refused", why, ""));
  }

  private final class Agent implements GuestAgent {
    private final GuestListener listener;

    private Agent(GuestListener listener) {
      this.listener = listener;
    }

    @Override
    public void configure(GuestConfig config, InstantSource clock) {
      answer();
      configurations.add(config);
    }

    @Override
    public void create(GuestContainer container) {
      answer();
      if (container.args().contains("uncreatable")) {
        throw failure(FailureKind.INVALID, "not to be created");
      }
      programs.put(container.id(), new FakeProgram(container));
    }

    @Override
    public void start(String container) {
      answer();
      FakeProgram program = program(container);
      if (program.config.args().getFirst().equals("missing")) {
        throw failure(FailureKind.INVALID, "missing: No such file or directory");
      }
      program.started = Instant.now();
      if (program.config.args().getFirst().equals("true")) {
        end(container, 0);
      }
    }

    @Override
    public void signal(String container, int number) {
      answer();
      if (number == 9 || !program(container).config.args().contains("deaf")) {
        end(container, 128 + number);
      }
    }

    @Override
    public void remove(String container) {
      answer();
      programs.remove(container);
    }

    @Override
    public void limits(String container, GuestLimits limits) {
      answer();
      program(container).limits = limits;
    }

    @Override
    public OutputStream input(String container) {
      return program(container).input;
    }

    @Override
    public void resize(String container, int columns, int rows) {}

    @Override
    public GuestProcess exec(GuestExec exec, OutputSink sink) {
      answer();
      if (exec.args().getFirst().equals("missing")) {
        throw failure(FailureKind.INVALID, "missing: No such file or directory");
      }
      return new FakeProcess(exec, sink);
    }

    @Override
    public GuestConnection connect(int port) {
      answer();
      if (port != 7070) {
        throw failure(FailureKind.NOT_FOUND, "nothing listens at port " + port);
      }
      return new Echo();
    }

    @Override
    public void putTree(String name, List<TreeEntry> entries) {
      answer();
      trees.put(name, List.copyOf(entries));
    }

    @Override
    public void removeTree(String name) {
      answer();
      trees.remove(name);
    }

    @Override
    public byte[] readFile(String container, String name, int bound) {
      answer();
      return program(container).message.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<GuestContainerState> list() {
      answer();
      List<GuestContainerState> states = new ArrayList<>();
      programs.forEach(
          (id, program) ->
              states.add(
                  new GuestContainerState(
                      id,
                      Instant.now(),
                      Optional.ofNullable(program.started),
                      Optional.ofNullable(program.exit))));
      return states;
    }

    @Override
    public GuestUsage usage() {
      answer();
      return new GuestUsage(
          1_000_000,
          128 << 20,
          64 << 20,
          1 << 30,
          1 << 20,
          10,
          new GuestUsage.NetworkUsage(11, 0, 22, 0),
          programs.keySet().stream()
              .map(
                  id ->
                      new GuestUsage.ContainerUsage(
                          id, 5_000_000, 3 << 20, 2 << 20, 1 << 20, 7, 1, 2, 4096, 3))
              .toList(),
          List.of());
    }

    @Override
    public void shutdown() {}

    @Override
    public void close() {
      if (listener.equals(client)) {
        client = null;
      }
    }
  }

  /// `echo` prints its arguments, `cat` its input, `exit` ends with a code, `hang` never ends.
  private static final class FakeProcess implements GuestProcess {
    private final GuestExec exec;
    private final OutputSink sink;

    private FakeProcess(GuestExec exec, OutputSink sink) {
      this.exec = exec;
      this.sink = sink;
    }

    @Override
    public OutputStream input() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public void resize(int columns, int rows) {}

    @Override
    public void signal(int number) {}

    @Override
    public Optional<GuestExit> exit(Duration limit) {
      List<String> args = exec.args();
      int code = 0;
      switch (args.getFirst()) {
        case "hang" -> {
          return Optional.empty();
        }
        case "exit" -> code = Integer.parseInt(args.get(1));
        default ->
            sink.output(
                GuestStream.STDOUT,
                (String.join(" ", args.subList(1, args.size())) + "\n")
                    .getBytes(StandardCharsets.UTF_8));
      }
      return Optional.of(new GuestExit(code, 0, false, Instant.now()));
    }

    @Override
    public void close() {}
  }

  private static final class Echo implements GuestConnection {
    @Override
    public InputStream input() {
      return new ByteArrayInputStream("hello\n".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public OutputStream output() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public void close() {}
  }
}
