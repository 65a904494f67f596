package dev.berth.cli;

import dev.berth.cli.options.FlagChecks;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth completion`: a script for the shell.
@Command(
    name = "completion",
    description = "Print a shell completion script for bash or zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(berth completion)                            for the current bash",
      "  berth completion > ~/.local/share/bash-completion/completions/berth",
      "  autoload -U bashcompinit && bashcompinit && source <(berth completion zsh)"
    })
final class CompletionCommand implements Runnable, FlagChecks {
  private static final List<String> SHELLS = List.of("bash", "zsh");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      arity = "0..1",
      defaultValue = "bash",
      description = "Shell: bash or zsh. Default: ${DEFAULT-VALUE}.")
  private String shell = "";

  @Override
  public List<String> mistakes() {
    return SHELLS.contains(shell) ? List.of() : List.of("SHELL=" + shell + ": must be bash or zsh");
  }

  @Override
  public void run() {
    // The script serves both shells; zsh reads it through bashcompinit.
    spec.commandLine().getOut().print(AutoComplete.bash("berth", spec.root().commandLine()));
    spec.commandLine().getOut().flush();
  }
}
