package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Runs a program to its end on the calling thread; blocks while the program sleeps or reads.
///
/// One shell runs one process and is used by its thread alone. There are no child processes: a
/// command runs inside the shell, and a signal reaches whatever the shell is doing.
public final class SimShell {
  /// How long a loop that never waits pauses, so that it does not take a whole processor.
  private static final Duration LOOP_PAUSE = Duration.ofMillis(10);

  private static final int ROUNDS_BETWEEN_PAUSES = 1_000;

  /// Added to a signal's number: the exit status of a process that it ended.
  private static final int SIGNALLED = 128;

  private static final int NOT_FOUND = 127;
  private static final int SYNTAX_ERROR = 2;

  private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_]\\w*)=");

  /// The parts of a word: in single quotes, in double quotes, escaped, a variable, plain.
  private static final Pattern PART =
      Pattern.compile(
          "'([^']*+)'|\"((?:[^\"\\\\]++|\\\\.)*+)\"|\\\\(.)|\\$\\{?(\\w++|\\?)}?|([^'\"\\\\$]++|\\$)",
          Pattern.DOTALL);

  /// The parts of what is in double quotes, where a backslash escapes four characters only.
  private static final Pattern QUOTED_PART =
      Pattern.compile("\\\\([\"\\\\$`])|\\$\\{?(\\w++|\\?)}?");

  private final ProcessContext processContext;

  /// Whether an unknown command stands for a server that runs until it is stopped.
  private final boolean unknownRunsOn;

  private final Map<Integer, ScriptNode> traps = new HashMap<>();

  /// Where output goes now; a redirection replaces it for one command.
  private ProcessOutput output;

  private int status;

  private SimShell(ProcessContext processContext, boolean unknownRunsOn) {
    this.processContext = processContext;
    this.unknownRunsOn = unknownRunsOn;
    this.output = processContext.output();
  }

  /// Runs the process of a container; a command that is not simulated runs until a signal.
  public static int runMain(ShellProgram program, ProcessContext processContext) {
    return new SimShell(processContext, true).run(program);
  }

  /// Runs a command inside of a running container; a command that is not simulated fails.
  public static int runBeside(ShellProgram program, ProcessContext processContext) {
    return new SimShell(processContext, false).run(program);
  }

  private int run(ShellProgram program) {
    try {
      switch (program) {
        case ShellProgram.Sleep(var time) -> sleep(time);
        case ShellProgram.Unknown(var name) -> status = unknown(name);
        case ShellProgram.Broken(var message) -> status = broken(message);
        case ShellProgram.Command(var line) -> status = command(line);
        case ShellProgram.Script(var node) -> run(node);
        case ShellProgram.Interactive _ -> interact();
      }
      return status;
    } catch (Ended ended) {
      return ended.status;
    }
  }

  private void run(ScriptNode node) {
    // Signals act between commands, and while a command sleeps or reads.
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
      case ScriptNode.Loop(var condition, var body) -> loop(condition, body);
    }
  }

  private void loop(ScriptNode condition, ScriptNode body) {
    int last = 0;
    for (int round = 1; ; round++) {
      run(condition);
      if (status != 0) {
        // The status of a loop is that of its last round, not of the condition that ended it.
        status = last;
        return;
      }
      run(body);
      last = status;
      if (round % ROUNDS_BETWEEN_PAUSES == 0) {
        sleep(LOOP_PAUSE);
      }
    }
  }

  /// Runs a simple command: redirections first, then assignments, then the words.
  private void simple(ScriptNode.Simple simple) {
    ProcessOutput before = output;
    try {
      for (Redirect redirect : simple.redirects()) {
        output = redirected(output, redirect);
      }
      List<String> words = simple.words();
      Matcher assignment = ASSIGNMENT.matcher("");
      int first = 0;
      // An assignment before a command stays in force after it, unlike in a real shell.
      while (first < words.size() && assignment.reset(words.get(first)).lookingAt()) {
        String value = expand(words.get(first).substring(assignment.end()));
        processContext.variables().put(assignment.group(1), value);
        first++;
      }
      List<String> line = words.subList(first, words.size()).stream().map(this::expand).toList();
      status = line.isEmpty() ? 0 : command(line);
    } finally {
      output = before;
    }
  }

  private int command(List<String> line) {
    String name = ShellProgram.name(line.getFirst());
    ShellCommands.Command command = ShellCommands.ALL.get(name);
    return command == null ? unknown(name) : command.run(this, line.subList(1, line.size()));
  }

  private int unknown(String name) {
    if (unknownRunsOn) {
      sleep(null);
    }
    output.complain("sh: " + name + ": not found\n");
    return NOT_FOUND;
  }

  private int broken(String message) {
    output.complain(message + "\n");
    if (unknownRunsOn) {
      sleep(null);
    }
    return SYNTAX_ERROR;
  }

  /// The output with a redirection. A file is created or emptied at once, even if nothing is
  /// written.
  private ProcessOutput redirected(ProcessOutput current, Redirect redirect) {
    int stream = redirect.stream();
    if (redirect.target().startsWith("&")) {
      int other = redirect.target().charAt(1) - '0';
      return (from, bytes) -> current.write(from == stream ? other : from, bytes);
    }
    String target = expand(redirect.target());
    boolean discards = target.equals("/dev/null");
    if (!discards && !processContext.files().write(target, "", redirect.append())) {
      current.complain("sh: can't create " + target + ": Read-only file system\n");
      // A real shell goes on after a failed redirection; here it ends the script.
      throw new Ended(1);
    }
    return (from, bytes) -> {
      if (from != stream) {
        current.write(from, bytes);
      } else if (!discards) {
        processContext.files().write(target, new String(bytes, StandardCharsets.UTF_8), true);
      }
    };
  }

  /// Expands one argument: quotes are removed and variables replaced. Unlike in a real shell, the
  /// result is never split into words.
  private String expand(String word) {
    StringBuilder text = new StringBuilder();
    Matcher part = PART.matcher(word);
    while (part.find()) {
      if (part.group(2) != null) {
        text.append(QUOTED_PART.matcher(part.group(2)).replaceAll(this::quotedPart));
      } else if (part.group(4) != null) {
        text.append(variable(part.group(4)));
      } else {
        for (int group : new int[] {1, 3, 5}) {
          text.append(part.group(group) == null ? "" : part.group(group));
        }
      }
    }
    return text.toString();
  }

  private String quotedPart(MatchResult part) {
    return Matcher.quoteReplacement(
        part.group(1) == null ? variable(part.group(2)) : part.group(1));
  }

  private String variable(String name) {
    return switch (name) {
      case "?" -> Integer.toString(status);
      case "HOSTNAME" -> processContext.hostname();
      default -> processContext.variables().getOrDefault(name, "");
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
      // A mistake in a typed line does not end the shell.
      try {
        run(ScriptParser.parse(line));
      } catch (ScriptException e) {
        output.complain(e.getMessage() + "\n");
        status = SYNTAX_ERROR;
      }
    }
  }

  /// Waits for a time, or without a limit; a signal that is not trapped ends the program.
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

  void trap(int signal, String script) {
    traps.put(signal, ScriptParser.parse(script));
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

  /// Reacts to a signal: runs its trap, else ends the program. SIGKILL cannot be trapped.
  private void obey(int signal) {
    if (signal == 0) {
      return;
    }
    ScriptNode script = traps.get(signal);
    if (signal == ProcessInbox.KILL || script == null) {
      throw new Ended(SIGNALLED + signal);
    }
    run(script);
  }

  /// Leaves the program from any depth of its nodes.
  static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    private Ended(int status) {
      super(null, null, false, false);
      this.status = status;
    }
  }
}
