package dev.berth.api.pods;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WorkloadTypeTest {
  @Test
  void aReportWithoutATypeIsAboutContainers() {
    assertThat(WorkloadType.textOfReport("")).isEqualTo("container");
    assertThat(WorkloadType.ofReport("")).contains(WorkloadType.CONTAINER);
  }

  @Test
  void aReportKeepsTheTextOfATypeThatOnlyItsAgentKnows() {
    assertThat(WorkloadType.textOfReport("wasm")).isEqualTo("wasm");
    assertThat(WorkloadType.ofReport("wasm")).isEmpty();
  }

  @Test
  void onlyContainersNeedNothingButFieldsOfKubernetes() {
    assertThat(WorkloadType.values())
        .filteredOn(WorkloadType::isPlainPod)
        .containsExactly(WorkloadType.CONTAINER);
  }
}
