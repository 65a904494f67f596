package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs a program to its end on the calling thread; blocks while the program sleeps or reads.
public final class SimShell {
  /// The wait of a loop that does not wait by itself, so that it does not take a whole processor.
  private static final Duration BREATH = Duration.ofMillis(10);

  private static final int ROUNDS_IN_A_BREATH = 1_000;

  private static final int KILLED = 128;
  private static final int NOT_FOUND = 127;

  private final ProcessContext processContext;
  private final boolean unknownRunsOn;
  private final WordExpansion words = new WordExpansion(this);
  private final Map<Integer, String> traps = new HashMap<>();
  private final List<ScriptNode> background = new ArrayList<>();
  private ProcessOutput output;
  private int status;

  private SimShell(ProcessContext processContext, boolean unknownRunsOn) {
    this.processContext = processContext;
    this.unknownRunsOn = unknownRunsOn;
    this.output = processContext.output();
  }

  /// Runs what a container's process does; a command that is not known runs until a signal.
  public static int runMain(ShellProgram program, ProcessContext processContext) {
    return new SimShell(processContext, true).run(program);
  }

  /// Runs a command inside of a running container; a command that is not known fails.
  public static int runBeside(ShellProgram program, ProcessContext processContext) {
    return new SimShell(processContext, false).run(program);
  }

  private int run(ShellProgram program) {
    try {
      switch (program) {
        case ShellProgram.Sleep(var time) -> sleep(time);
        case ShellProgram.Unknown(var name) -> status = unknown(name);
        case ShellProgram.Broken(var message) -> status = broken(message);
        case ShellProgram.Script(var node) -> run(node);
        case ShellProgram.Interactive _ -> interact();
      }
      return status;
    } catch (Ended ended) {
      return ended.status;
    }
  }

  private void run(ScriptNode node) {
    obey(processContext.inbox().pendingSignal());
    switch (node) {
      case ScriptNode.Simple simple -> simple(simple);
      case ScriptNode.Sequence(var nodes) -> nodes.forEach(this::run);
      case ScriptNode.Chain(var first, var onSuccess, var second) -> {
        run(first);
        if ((status == 0) == onSuccess) {
          run(second);
        }
      }
      case ScriptNode.Loop(var condition, var until, var body) -> loop(condition, until, body);
      case ScriptNode.Each(var variable, var list, var body) -> {
        for (String value : words.expand(list)) {
          processContext.variables().put(variable, value);
          run(body);
        }
      }
      case ScriptNode.Choice(var condition, var then, var otherwise) -> {
        run(condition);
        run(status == 0 ? then : otherwise);
      }
      case ScriptNode.Background(var inner) -> {
        background.add(inner);
        status = 0;
      }
      case ScriptNode.Negation(var inner) -> {
        run(inner);
        status = status == 0 ? 1 : 0;
      }
    }
  }

  private void loop(ScriptNode condition, boolean until, ScriptNode body) {
    int last = 0;
    for (int round = 1; ; round++) {
      run(condition);
      if ((status == 0) == until) {
        status = last;
        return;
      }
      run(body);
      last = status;
      if (round % ROUNDS_IN_A_BREATH == 0) {
        sleep(BREATH);
      }
    }
  }

  private void simple(ScriptNode.Simple simple) {
    simple
        .assignments()
        .forEach(one -> processContext.variables().put(one.name(), words.join(one.value())));
    ProcessOutput before = output;
    try {
      for (Redirect redirect : simple.redirects()) {
        output = redirected(output, redirect);
      }
      List<String> line = words.expand(simple.words());
      status = line.isEmpty() ? 0 : command(line);
    } finally {
      output = before;
    }
  }

  private int command(List<String> line) {
    String name = ShellProgram.name(line.getFirst());
    if (ShellProgram.SHELLS.contains(name) || name.equals("busybox")) {
      return runInstead(line);
    }
    ShellCommands.Command command = ShellCommands.ALL.get(name);
    return command == null ? unknown(name) : command.run(this, line.subList(1, line.size()));
  }

  /// Runs a command line in a shell of its own, with this one's streams.
  int runInstead(List<String> line) {
    return new SimShell(processContext.writingTo(output), unknownRunsOn).run(ShellProgram.of(line));
  }

  private int unknown(String name) {
    if (unknownRunsOn) {
      sleep(null);
    }
    output.complain("sh: " + name + ": not found\n");
    return NOT_FOUND;
  }

  private int broken(String message) {
    if (unknownRunsOn) {
      sleep(null);
    }
    output.complain(message + "\n");
    return 2;
  }

  private ProcessOutput redirected(ProcessOutput current, Redirect redirect) {
    String target = words.join(redirect.target());
    int stream = redirect.stream();
    if (target.equals("&1") || target.equals("&2")) {
      int other = target.charAt(1) - '0';
      return (from, bytes) -> current.write(from == stream ? other : from, bytes);
    }
    boolean nowhere = target.equals("/dev/null");
    if (!nowhere && !processContext.files().write(target, "", redirect.append())) {
      current.complain("sh: can't create " + target + ": Read-only file system\n");
      throw new Ended(1);
    }
    return (from, bytes) -> {
      if (from != stream) {
        current.write(from, bytes);
      } else if (!nowhere) {
        processContext.files().write(target, new String(bytes, StandardCharsets.UTF_8), true);
      }
    };
  }

  private void interact() {
    LineReader lines = new LineReader(this);
    while (true) {
      if (processContext.terminal()) {
        output.print("/ # ");
      }
      String line = lines.next();
      if (line == null) {
        return;
      }
      if (!line.isBlank()) {
        interpret(line);
      }
    }
  }

  /// A line that someone typed: a mistake in it ends nothing.
  private void interpret(String line) {
    try {
      run(ScriptParser.parse(line));
    } catch (ScriptException e) {
      output.complain("sh: " + e.getMessage() + "\n");
      status = 2;
    }
  }

  /// Waits for a time, or for ever; a signal that is not trapped ends the program.
  void sleep(@Nullable Duration time) {
    obey(processContext.inbox().awaitSignal(processContext.timeline(), time));
  }

  /// Bytes of the standard input; none at its end.
  byte[] read() {
    while (true) {
      byte[] bytes = processContext.inbox().read();
      if (bytes != null) {
        return bytes;
      }
      obey(processContext.inbox().pendingSignal());
    }
  }

  void waitForBackground() {
    List<ScriptNode> nodes = List.copyOf(background);
    background.clear();
    nodes.forEach(this::run);
  }

  void trap(int signal, String script) {
    traps.put(signal, script);
  }

  /// What a script inside of a word prints, without its last line ends.
  String outputOf(ScriptNode script) {
    StringBuilder text = new StringBuilder();
    ProcessOutput before = output;
    output =
        (stream, bytes) -> {
          if (stream == ProcessOutput.STDOUT) {
            text.append(new String(bytes, StandardCharsets.UTF_8));
          } else {
            before.write(stream, bytes);
          }
        };
    try {
      run(script);
    } finally {
      output = before;
    }
    return text.toString().replaceFirst("\n+$", "");
  }

  String variable(String name) {
    return switch (name) {
      case "?" -> Integer.toString(status);
      case "$" -> "1";
      case "HOSTNAME" -> processContext.hostname();
      default -> processContext.variables().getOrDefault(name, "");
    };
  }

  ProcessContext processContext() {
    return processContext;
  }

  ProcessOutput output() {
    return output;
  }

  static Ended end(int status) {
    return new Ended(status);
  }

  int status() {
    return status;
  }

  private void obey(int signal) {
    if (signal == 0) {
      return;
    }
    String script = traps.get(signal);
    if (signal == ProcessInbox.KILL || script == null) {
      throw new Ended(KILLED + signal);
    }
    if (!script.isEmpty()) {
      run(ScriptParser.parse(script));
    }
  }

  /// Leaves the program from wherever it is.
  static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    private Ended(int status) {
      super(null, null, false, false);
      this.status = status;
    }
  }
}
