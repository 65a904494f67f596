package dev.berth.scheduler.model;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pods.WorkloadType;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NodeRuntimesTest {
  @Test
  void aNodeThatReportsNothingHasNoServices() {
    assertThat(node("n").traits().runtimes().isReported()).isFalse();
  }

  @Test
  void theAnnotationLinksHandlersToServicesAndTheConditionSaysWhetherTheyAreReady() {
    ReportedRuntimes runtimes =
        node("n", service("kata", "container", "kata-qemu,kata-fc", false)).traits().runtimes();

    assertThat(runtimes.services())
        .containsExactly(
            new RuntimeServiceInfo(
                "kata",
                WorkloadType.CONTAINER,
                Set.of("kata-qemu", "kata-fc"),
                Map.of(),
                true,
                false));
  }

  @Test
  void handlersOfAnUpstreamNodeBelongToOneUnnamedReadyService() {
    ReportedRuntimes runtimes =
        node("n", "'status':{'runtimeHandlers':[{'name':''},{'name':'runsc'}]}")
            .traits()
            .runtimes();

    assertThat(runtimes.offersReady("runsc")).isTrue();
    assertThat(runtimes.services()).hasSize(1);
  }

  @Test
  void aBrokenAnnotationSaysNothing() {
    assertThat(
            node("n", "'metadata':{'annotations':{'berth.dev/runtime-services':'{oops'}}")
                .traits()
                .runtimes()
                .isReported())
        .isFalse();
  }
}
