package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeMethodsTest {
  @ParameterizedTest
  @CsvSource({
    "run, POST",
    "exec, 'GET, POST'",
    "attach, 'GET, POST'",
    "portForward, 'GET, POST'",
    "containerLogs, GET",
    "pods, 'GET, HEAD'",
    "stats, 'GET, HEAD'"
  })
  void whatRunsCommandsOrChangesNothingHasItsMethods(String first, String allowed) {
    assertThat(String.join(", ", NodeMethods.of(first))).isEqualTo(allowed);
  }
}
