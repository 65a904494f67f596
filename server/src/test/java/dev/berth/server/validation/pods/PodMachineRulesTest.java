package dev.berth.server.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pods.PodSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodMachineRulesTest {
  /// The sample of the Arktos design, as it is written there.
  private static final String SAMPLE =
      """
      virtualMachine:
        name: testVM
        image: cloud-images.ubuntu.com/xenial/current/xenial-server-cloudimg-amd64-disk1.img
        resources:
          limits: {cpu: "1", memory: "1Gi"}
          requests: {cpu: "1", memory: "1Gi"}
      vpc: demo
      nics:
      - portId: 04fe371d-fddf-43c4-9419-b7d9cd4a2197
      runtimeServiceName: libvirt-qemu
      """;

  @Test
  void theSampleOfTheDesignIsGood() {
    assertThat(PodErrors.ofPod(PodSamples.podOf(SAMPLE))).isEmpty();
  }

  @Test
  void aPodIsContainersOrAMachine() {
    PodErrors.assertMessages(
        PodErrors.ofPod(PodSamples.podOf(SAMPLE + "containers: [{name: a, image: a}]")),
        "spec.virtualMachine: Forbidden: may not be set together with `containers`: a pod runs"
            + " containers or one virtual machine; move one of them to a pod of its own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          virtualMachine: {}                                | spec.virtualMachine.name: Required value # spec.virtualMachine.image: Required value
          virtualMachine: {name: 'a b', image: i}           | spec.virtualMachine.name: Invalid value: "a b": must have at most 63 letters, digits, '-', '_' or '.', and start and end with a letter or digit
          virtualMachine: {name: m, image: i, powerSpec: Paused} | ''
          virtualMachine: {name: m, image: i, powerSpec: gone} | spec.virtualMachine.powerSpec: Unsupported value: "gone": supported values: "running", "paused", "shutdown", "suspended"
          virtualMachine: {name: m, image: i, resources: {limits: {cpu: -1}}} | spec.virtualMachine.resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0 # spec.virtualMachine.resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0
          virtualMachine: {name: m, image: i, volumeMounts: [{name: v, mountPath: /v}]} | spec.virtualMachine.volumeMounts[0].name: Not found: "v"
          {virtualMachine: {name: m, image: i}, nics: [{name: a, ipAddress: x}, {name: a}]} | spec.nics[0].ipAddress: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff) # spec.nics[1].name: Duplicate value: "a"
          {virtualMachine: {name: m, image: i}, osversion: ten, architecture: AMD} | spec.osversion: Invalid value: "ten": must be a version such as 10.0.17763 or 10.0.17763.805 # spec.architecture: Invalid value: "AMD": must be an architecture of images such as amd64, arm64 or arm/v7
          {virtualMachine: {name: m, image: i}, runtimeServiceName: 'a/b'} | spec.runtimeServiceName: Invalid value: "a/b": must have at most 63 letters, digits, '-', '_' or '.', and start and end with a letter or digit
          """)
  void machines(String spec, String expected) {
    PodErrors.assertMessages(PodErrors.ofPod(PodSamples.podOf(spec)), expected);
  }

  @Test
  void machinesAreStartedAndStoppedByAnUpdate() {
    String machine = "virtualMachine: {name: m, image: i, powerSpec: %s}";
    assertThat(
            PodErrors.onUpdate(
                PodSamples.podOf(machine.formatted("shutdown")),
                PodSamples.podOf(machine.formatted("running"))))
        .isEmpty();
    assertThat(
            PodErrors.onUpdate(
                PodSamples.podOf("virtualMachine: {name: m, image: j}"),
                PodSamples.podOf("virtualMachine: {name: m, image: i}")))
        .hasSize(1);
  }
}
