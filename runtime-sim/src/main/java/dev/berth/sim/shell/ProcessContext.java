package dev.berth.sim.shell;

import dev.berth.sim.time.SimClock;
import java.util.HashMap;
import java.util.Map;

/// What a process finds around it.
///
/// @param variables its own copy, which it changes
/// @param terminal whether a person types and reads
public record ProcessContext(
    SimClock timeline,
    String hostname,
    Map<String, String> variables,
    FileTree files,
    ProcessInbox inbox,
    ProcessOutput output,
    boolean terminal) {
  public ProcessContext {
    variables = new HashMap<>(variables);
  }

  ProcessContext writingTo(ProcessOutput other) {
    return new ProcessContext(timeline, hostname, variables, files, inbox, other, terminal);
  }
}
