package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Calls functions of `scripts/progress.sh`.
final class ProgressScript {
  private ProgressScript() {}

  /// What a call prints; the arguments are its `$1`, `$2`, ...
  static String run(String call, Path... arguments) throws IOException, InterruptedException {
    Path script = Sources.ofTheProject().root().resolve("scripts/progress.sh");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", ". \"$0\" && " + call, script.toString()));
    for (Path argument : arguments) {
      command.add(argument.toString());
    }
    Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
    String shown = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return shown;
  }
}
