package dev.berth.server.admission.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.Writes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredOnlyKindsTest {
  @ParameterizedTest
  @CsvSource({
    "jobs.batch, Jobs are stored and nothing runs them yet",
    "statefulsets.apps, StatefulSets are stored and nothing runs them yet",
    "services, Services are stored and nothing serves them yet"
  })
  void whoeverCreatesOneIsWarnedWithWhatToDoInstead(String bucket, String warning) {
    assertThat(warnings(bucket, true)).singleElement().asString().startsWith(warning).contains(";");
  }

  @Test
  void kindsThatWorkAndServersThatLeaveThemToOthersWarnOfNothing() {
    assertThat(warnings("deployments.apps", true)).isEmpty();
    assertThat(warnings("jobs.batch", false)).isEmpty();
  }

  private static List<String> warnings(String bucket, boolean isAlone) {
    List<String> warnings = new ArrayList<>();
    new StoredOnlyKinds(isAlone)
        .validate(
            new AdmissionAttributes(
                AdmissionAttributes.Operation.CREATE,
                Writes.kind(bucket),
                "",
                "default",
                "a",
                Writes.json("{'metadata':{'name':'a'}}"),
                null,
                Writes.ADMIN,
                false,
                warnings::add,
                (_, _) -> {}));
    return warnings;
  }
}
