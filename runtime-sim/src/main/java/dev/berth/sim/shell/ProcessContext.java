package dev.berth.sim.shell;

import dev.berth.sim.time.SimClock;
import java.util.HashMap;
import java.util.Map;

/// The environment of a process.
///
/// @param variables environment variables; the record copies them, and the process changes its copy
/// @param files shared by all processes of a container
/// @param terminal whether the streams are a terminal, which has one output and echoes input
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
}
