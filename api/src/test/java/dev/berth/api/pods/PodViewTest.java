package dev.berth.api.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The same pods, read from a JSON tree and from fabric8's model, mean the same.
final class PodViewTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {containers: [{name: a}]} | '' | '' | BestEffort
          {containers: [{name: a, resources: {requests: {cpu: 100m}}}]} | cpu=100m | '' | Burstable
          {containers: [{name: a, resources: {requests: {cpu: '0'}}}]} | cpu=0 | '' | BestEffort
          {containers: [{name: a, resources: {limits: {cpu: '1', memory: 1Gi}}}]} | '' | cpu=1,memory=1Gi | Guaranteed
          {containers: [{name: a, resources: {requests: {cpu: '1', memory: 1Gi}, limits: {cpu: 1000m, memory: 1024Mi}}}]} | cpu=1,memory=1Gi | cpu=1,memory=1Gi | Guaranteed
          {containers: [{name: a, resources: {limits: {cpu: '1', memory: 1Gi}}}, {name: b}]} | '' | cpu=1,memory=1Gi | Burstable
          {containers: [{name: a, resources: {requests: {cpu: '1'}}}], initContainers: [{name: i, resources: {requests: {cpu: '3'}}}]} | cpu=3 | '' | Burstable
          {containers: [{name: a, resources: {requests: {cpu: '1'}}}], initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: '2'}}}, {name: i, resources: {requests: {cpu: 500m}}}]} | cpu=3 | '' | Burstable
          {containers: [{name: a}], initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: '2'}}}, {name: i, resources: {requests: {cpu: '2'}}}]} | cpu=4 | '' | Burstable
          {resources: {requests: {cpu: '2'}}, containers: [{name: a, resources: {requests: {cpu: '5', memory: 1Gi}}}]} | cpu=2,memory=1Gi | '' | Burstable
          {resources: {limits: {cpu: '2', memory: 2Gi}}, containers: [{name: a, resources: {limits: {cpu: '1'}}}]} | '' | cpu=2,memory=2Gi | Guaranteed
          {overhead: {cpu: 250m, memory: 64Mi}, containers: [{name: a, resources: {requests: {cpu: 500m}}}]} | cpu=750m,memory=64Mi | '' | Burstable
          {virtualMachine: {name: v, resources: {requests: {cpu: '2', memory: 1Gi}, limits: {cpu: '2', memory: 1Gi}}}} | cpu=2,memory=1Gi | cpu=2,memory=1Gi | Guaranteed
          {containers: [], virtualMachine: {name: v, resources: {requests: {cpu: '2'}}}} | cpu=2 | '' | Burstable
          """)
  void bothFormsOfAPodMeanTheSame(String spec, String requests, String limits, String qos)
      throws Exception {
    for (PodView view : views(spec)) {
      assertThat(PodResources.requestsWithOverhead(view)).hasToString(requests);
      assertThat(PodResources.limits(view)).hasToString(limits);
      assertThat(QosClass.of(view)).hasToString(qos);
    }
  }

  @Test
  void aCommonLimitNeedsOneOfEveryContainerOrOfThePod() throws Exception {
    String some = "{containers: [{name: a, resources: {limits: {memory: 1Gi}}}, {name: b}]}";
    String pod = "{resources: {limits: {memory: 2Gi}}, containers: [{name: a}]}";

    for (PodView view : views(some)) {
      assertThat(PodResources.commonLimit(view, "memory").value()).isZero();
    }
    for (PodView view : views(pod)) {
      assertThat(PodResources.commonLimit(view, "memory").value()).isEqualTo(2L << 30);
    }
  }

  @Test
  void sidecarsTakeHostPortsAndOtherInitContainersDoNot() throws Exception {
    String spec =
        """
        {containers: [{name: a, ports: [{containerPort: 80, hostPort: 8080}]}],
         initContainers: [
          {name: s, restartPolicy: Always, ports: [{containerPort: 1, hostPort: 9, protocol: UDP}]},
          {name: i, ports: [{containerPort: 2, hostPort: 10}]}]}
        """;

    for (PodView view : views(spec)) {
      assertThat(HostPort.of(view))
          .containsExactly(new HostPort("UDP", "0.0.0.0", 9), new HostPort("TCP", "0.0.0.0", 8080));
    }
  }

  @Test
  void aRuntimeServiceIsNamedByFieldOrAnnotation() throws Exception {
    String field = "{metadata: {}, spec: {runtimeServiceName: qemu, virtualMachine: {name: v}}}";
    String annotation =
        "{metadata: {annotations: {berth.dev/runtime-service: two}}, spec: {runtimeClassName: c}}";

    for (PodRuntime runtime : runtimes(field)) {
      assertThat(runtime).isEqualTo(new PodRuntime(WorkloadType.VM, "", "qemu"));
    }
    for (PodRuntime runtime : runtimes(annotation)) {
      assertThat(runtime).isEqualTo(new PodRuntime(WorkloadType.CONTAINER, "c", "two"));
    }
  }

  @Test
  void aWorkloadTypeIsFoundByItsField() throws Exception {
    for (WorkloadType type : WorkloadType.withField()) {
      String spec = "{%s: {name: v, resources: {requests: {cpu: 1}}}}".formatted(type.field());
      JsonNode tree = YAML.readTree("{metadata: {}, spec: %s}".formatted(spec));

      assertThat(WorkloadType.ofSpec(tree.path("spec"))).isEqualTo(type);
      assertThat(WorkloadType.ofPod(YAML.treeToValue(tree, Pod.class))).isEqualTo(type);
      assertThat(PodWorkload.in(tree.path("spec"))).extracting(PodWorkload::type).contains(type);
    }
  }

  @Test
  void aPlatformIsTheSameInBothForms() throws Exception {
    JsonNode tree =
        YAML.readTree(
            "{metadata: {}, spec: {os: {name: windows}, osversion: 10.0.17763, architecture: arm64}}");
    PodPlatform platform = new PodPlatform("windows", "10.0.17763", "arm64");

    assertThat(PodPlatform.parse(tree.path("spec"))).isEqualTo(platform);
    assertThat(PodPlatform.of(YAML.treeToValue(tree, Pod.class))).isEqualTo(platform);
    assertThat(PodPlatform.isForWindows(tree.path("spec"))).isTrue();
  }

  @Test
  void staticAndMirrorPodsAreToldApartByTheirAnnotations() throws Exception {
    Pod fromFile = annotated("{kubernetes.io/config.source: file}");
    Pod mirror =
        annotated("{kubernetes.io/config.source: file, kubernetes.io/config.mirror: uid-1}");
    Pod ordinary = annotated("{}");

    assertThat(PodSource.isStatic(fromFile)).isTrue();
    assertThat(PodSource.isMirror(fromFile)).isFalse();
    assertThat(PodSource.isStatic(mirror)).isFalse();
    assertThat(PodSource.isMirror(mirror)).isTrue();
    assertThat(PodSource.isMirror(YAML.<JsonNode>valueToTree(mirror))).isTrue();
    assertThat(PodSource.isStatic(ordinary)).isFalse();
    assertThat(PodSource.isMirror(ordinary)).isFalse();
  }

  private static Pod annotated(String annotations) throws Exception {
    return YAML.readValue("{metadata: {annotations: %s}}".formatted(annotations), Pod.class);
  }

  private static PodView[] views(String spec) throws Exception {
    JsonNode tree = YAML.readTree("{metadata: {}, spec: %s}".formatted(spec));
    return new PodView[] {
      PodView.of(tree.path("spec")), PodView.of(YAML.treeToValue(tree, Pod.class))
    };
  }

  private static PodRuntime[] runtimes(String pod) throws Exception {
    JsonNode tree = YAML.readTree(pod);
    return new PodRuntime[] {PodRuntime.of(tree), PodRuntime.of(YAML.treeToValue(tree, Pod.class))};
  }
}
