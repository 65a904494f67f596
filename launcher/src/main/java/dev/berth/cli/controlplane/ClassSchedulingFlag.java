package dev.berth.cli.controlplane;

import dev.berth.cli.options.OptionSection;
import dev.berth.scheduler.model.ClassScheduling;
import java.util.List;
import picocli.CommandLine.Option;

/// The flag of commands that schedule pods: which nodes can run pods of a RuntimeClass.
@OptionSection("Scheduling")
final class ClassSchedulingFlag {
  private static final String NAME = "--runtime-class-scheduling";

  @Option(
      names = NAME,
      paramLabel = "RULE",
      defaultValue = "offered",
      description =
          "Which nodes can run pods of a RuntimeClass: nodes that offer its handler (offered),"
              + " or all nodes that match its node selector, as in upstream Kubernetes (selector). The"
              + " annotation runtimeclass.berth.dev/scheduling of a RuntimeClass overrides this"
              + " option. Default: ${DEFAULT-VALUE}.")
  private String rule = "";

  List<String> mistakes() {
    return ClassScheduling.of(rule).isPresent()
        ? List.of()
        : List.of("%s=%s: must be %s".formatted(NAME, rule, ClassScheduling.words()));
  }

  ClassScheduling read() {
    return ClassScheduling.of(rule).orElse(ClassScheduling.OFFERED);
  }
}
