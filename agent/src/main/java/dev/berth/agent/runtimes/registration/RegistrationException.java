package dev.berth.agent.runtimes.registration;

import dev.berth.api.Problem;
import java.util.List;
import java.util.stream.Collectors;

/// A declaration of runtime services is invalid; holds all mistakes.
public final class RegistrationException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  RegistrationException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
