package dev.berth.agent.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.api.pods.WorkloadType;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

final class PodRequestTest {
  @Test
  void anOrdinaryPodIsAContainerThatLeavesTheChoice() throws Exception {
    assertThat(read("{'containers': []}", "{}", "{}"))
        .isEqualTo(
            new PodRequest("uid-1", "web/nginx", WorkloadType.CONTAINER, null, false, false));
  }

  @Test
  void aVirtualMachineNamesItsService() throws Exception {
    PodRequest pod =
        read("{'virtualMachine': {'name': 'v'}, 'runtimeServiceName': 'qemu'}", "{}", "{}");

    assertThat(pod.workloadType()).isEqualTo(WorkloadType.VM);
    assertThat(pod.serviceName()).isEqualTo("qemu");
  }

  @Test
  void theAnnotationStandsForTheFieldAndTheFieldWins() throws Exception {
    String annotation = "{'berth.dev/runtime-service': 'crio'}";

    assertThat(read("{}", annotation, "{}").serviceName()).isEqualTo("crio");
    assertThat(read("{'runtimeServiceName': 'qemu'}", annotation, "{}").serviceName())
        .isEqualTo("qemu");
    assertThat(read("{'runtimeServiceName': ''}", "{}", "{}").serviceName()).isNull();
  }

  @Test
  void whatStartedBeforeMayHaveASandboxSomewhere() throws Exception {
    PodRequest pod = read("{'hostNetwork': true}", "{}", "{'startTime': '2026-01-01T00:00:00Z'}");

    assertThat(pod.mayHaveStarted()).isTrue();
    assertThat(pod.hostNetwork()).isTrue();
  }

  private static PodRequest read(String spec, String annotations, String status) throws Exception {
    String pod =
        "{'metadata': {'uid': 'uid-1', 'namespace': 'web', 'name': 'nginx', 'annotations': %s}, 'spec': %s, 'status': %s}"
            .formatted(annotations, spec, status)
            .replace('\'', '"');
    return PodRequest.of(JsonMapper.builder().build().readValue(pod, Pod.class));
  }
}
