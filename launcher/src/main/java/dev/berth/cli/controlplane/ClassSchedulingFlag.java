package dev.berth.cli.controlplane;

import dev.berth.scheduler.model.ClassScheduling;
import java.util.List;
import picocli.CommandLine.Option;

/// The flag of every command that schedules pods: which nodes do for pods of a RuntimeClass.
final class ClassSchedulingFlag {
  private static final String NAME = "--runtime-class-scheduling";

  @Option(
      names = NAME,
      paramLabel = "RULE",
      defaultValue = "offered",
      description =
          "Where pods of a RuntimeClass may go: to nodes that offer its handler (offered), or to all"
              + " that its node selector admits, as upstream does (selector). A class can say"
              + " otherwise in its annotation runtimeclass.berth.dev/scheduling. Default:"
              + " ${DEFAULT-VALUE}.")
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
