package dev.berth.scheduler.model;

import static dev.berth.scheduler.model.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pods.WorkloadType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodInfoTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'containers':[{c 100},{c 200}]                                             | 300
          'containers':[{c 100}],'initContainers':[{c 500}]                          | 500
          'containers':[{c 100}],'initContainers':[{s 50}]                           | 150
          'containers':[{c 100}],'initContainers':[{s 50},{c 500}]                   | 550
          'containers':[{c 100}],'initContainers':[{c 500},{s 50}]                   | 500
          'containers':[{c 400}],'initContainers':[{s 50},{c 100},{s 70}]            | 520
          'containers':[{c 100}],'overhead':{'cpu':'250m'}                           | 350
          'containers':[{c 100}],'initContainers':[{c 500}],'overhead':{'cpu':'10m'} | 510
          'containers':[{c 100}],'resources':{'requests':{'cpu':'1'}}                | 1000
          'virtualMachine':{'resources':{'requests':{'cpu':'2'}}},'containers':[]    | 2000
          """)
  void requestsFollowTheRulesOfInitContainersSidecarsAndOverhead(String spec, long cpu) {
    String json =
        spec.replaceAll("\\{c (\\d+)}", "{'name':'a','resources':{'requests':{'cpu':'$1m'}}}")
            .replaceAll(
                "\\{s (\\d+)}",
                "{'name':'a','restartPolicy':'Always','resources':{'requests':{'cpu':'$1m'}}}");

    assertThat(pod("a", json).requests().cpu()).isEqualTo(cpu);
  }

  @Test
  void extendedResourcesOfOverheadCount() {
    PodInfo pod =
        pod(
            "a",
            "'overhead':{'example.com/slot':'2','memory':'1Mi'},'containers':[{'name':'a','resources':"
                + "{'requests':{'example.com/slot':'1'}}}]");

    assertThat(pod.requests().extended("example.com/slot")).isEqualTo(3);
    assertThat(pod.requests().memory()).isEqualTo(1 << 20);
  }

  @Test
  void theRuntimeServiceComesFromTheFieldOrTheAnnotation() {
    assertThat(pod("a", "'runtimeServiceName':'qemu'").needs().serviceName()).isEqualTo("qemu");
    var tree = TestObjects.podTree("b", "");
    tree.withObject("/metadata/annotations").put("berth.dev/runtime-service", "crio");
    assertThat(PodInfo.parse(tree).needs().serviceName()).isEqualTo("crio");
  }

  @Test
  void aVirtualMachineIsAnotherWorkloadType() {
    assertThat(pod("a", "'virtualMachine':{}").needs().workload()).isEqualTo(WorkloadType.VM);
    assertThat(pod("a", "").needs().workload()).isEqualTo(WorkloadType.CONTAINER);
  }

  @Test
  void equalPodsHaveEqualNeeds() {
    String spec = "'nodeSelector':{'a':'b'},'tolerations':[{'key':'x','operator':'Exists'}]";

    assertThat(pod("a", spec).needs()).isEqualTo(pod("b", spec).needs());
  }

  @Test
  void onlySelectorsOfHostNamesTellNodesApart() {
    assertThat(pod("a", "'nodeSelector':{'zone':'b'}").needs().distinguishesNodes()).isFalse();
    assertThat(
            pod("a", "'nodeSelector':{'kubernetes.io/hostname':'b'}").needs().distinguishesNodes())
        .isTrue();
  }
}
