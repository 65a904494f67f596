package dev.berth.agent.runtimes.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.admin.DropInPlan.Step;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DropInPlanTest {
  /// Files are written `file=name@endpoint`, or `file=!` when they are broken; services
  /// `name@endpoint<file`, or without a file when they are configured.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # files           | present             | retired | steps
          ''                | ''                  | ''      | ''
          1=a@x             | ''                  | ''      | add a@x
          1=a@x             | a@x<1               | ''      | ''
          1=a@y             | a@x<1               | ''      | replace a@y
          2=a@x             | a@x<1               | ''      | replace a@x
          ''                | a@x<1               | ''      | retire a
          ''                | a@x<1               | a       | ''
          1=a@x             | a@x<1               | a       | resume a
          1=a@y             | a@x<1               | a       | replace a@y
          1=!               | a@x<1               | ''      | ''
          1=! 2=b@y         | a@x<1               | ''      | add b@y
          1=b@x             | a@x<1               | ''      | retire a, add b@x
          ''                | c@x                 | ''      | ''
          1=c@y             | c@x                 | ''      | add c@y
          1=a@x 2=b@y       | b@y<2 d@z<3         | ''      | retire d, add a@x
          """)
  void servicesBecomeThoseOfTheFiles(String files, String present, String retired, String steps) {
    Map<String, RuntimeDeclaration> applied = new HashMap<>();
    List<RuntimeService> services = new ArrayList<>();
    for (String word : words(present)) {
      RuntimeDeclaration declaration = declaration(word.replaceAll("<.*", ""));
      boolean configured = !word.contains("<");
      if (!configured) {
        applied.put(declaration.name(), declaration);
      }
      services.add(service(declaration, word));
    }

    List<Step> plan =
        DropInPlan.compute(scan(files), services, applied, Set.copyOf(words(retired)));

    assertThat(plan.stream().map(DropInPlanTest::text).toList())
        .isEqualTo(steps.isEmpty() ? List.of() : Arrays.asList(steps.split(", ", -1)));
  }

  private static DropInScan scan(String files) {
    var services = new TreeMap<Path, RuntimeDeclaration>();
    var problems = new TreeMap<Path, List<Problem>>();
    for (String word : words(files)) {
      String[] parts = word.split("=", -1);
      if (parts[1].equals("!")) {
        problems.put(Path.of(parts[0]), List.of(new Problem("a", "b", "c")));
      } else {
        services.put(Path.of(parts[0]), declaration(parts[1]));
      }
    }
    return new DropInScan(services, problems);
  }

  private static RuntimeService service(RuntimeDeclaration declaration, String word) {
    return new RuntimeService(
        declaration.name(),
        declaration.workloadType(),
        declaration.endpoint(),
        declaration.endpoint(),
        null,
        new ServiceHealth.Connecting(Instant.EPOCH),
        true,
        word.contains("<")
            ? new RegistrationOrigin.DropIn(Path.of(word.replaceAll(".*<", "")))
            : new RegistrationOrigin.Configured());
  }

  private static RuntimeDeclaration declaration(String text) {
    String[] parts = text.split("@", -1);
    return new RuntimeDeclaration(
        parts[0], WorkloadType.CONTAINER, CriEndpoint.parse("/" + parts[1]));
  }

  private static String text(Step step) {
    return switch (step) {
      case Step.Retire(var name) -> "retire " + name;
      case Step.Resume(var name) -> "resume " + name;
      case Step.Add(var registration) -> "add " + text(registration.declaration());
      case Step.Replace(var registration) -> "replace " + text(registration.declaration());
    };
  }

  private static String text(RuntimeDeclaration declaration) {
    return declaration.name() + "@" + declaration.endpoint().toString().replace("unix:///", "");
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" ", -1));
  }
}
