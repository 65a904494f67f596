package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./dev` and `./berth` show of the log of a failed build.
final class FirstErrorsTest {
  @TempDir private Path directory;

  @Test
  void eachErrorIsShownOnceAndTheHeadingsAreNot() throws Exception {
    String log =
        """
        [INFO] Building berth-api 0.1.0-SNAPSHOT [2/13]
        [ERROR] COMPILATION ERROR :\s
        [ERROR] api/Problem.java:[18,12] incompatible types: String cannot be converted to int
        [ERROR]   an indented detail
        [ERROR] Failed to execute goal compile on project berth-api: Compilation failure
        [ERROR] api/Problem.java:[18,12] incompatible types: String cannot be converted to int
        [ERROR] -> [Help 1]
        [ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
        [ERROR] For more information about the errors, please read the following articles:
        """;
    assertThat(firstErrors(log))
        .isEqualTo(
            """
            api/Problem.java:[18,12] incompatible types: String cannot be converted to int
            Failed to execute goal compile on project berth-api: Compilation failure
            """);
  }

  @Test
  void atMostFiveErrorsAreShown() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      log.append("[ERROR] number ").append(i).append('\n');
    }
    assertThat(firstErrors(log.toString())).hasLineCount(5).endsWith("number 4\n");
  }

  private String firstErrors(String log) throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("log"), log);
    return ProgressScript.run("first_errors \"$1\"", file);
  }
}
