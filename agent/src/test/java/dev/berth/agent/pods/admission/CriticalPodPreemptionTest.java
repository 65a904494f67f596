package dev.berth.agent.pods.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which pods go for one that the node cannot do without.
///
/// Pods are written `name:cpu:memory`, in thousandths of processors and bytes; of one in capitals
/// both are its limits, too, and one with `!` is critical itself.
final class CriticalPodPreemptionTest {
  @ParameterizedTest(name = "{0} thousandths and {1} bytes are missing beside {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "100, 0, 'a:100:0 b:200:0 c:50:0', a",
        "120, 0, 'a:100:0 b:200:0 c:50:0', b",
        "120, 0, 'a:100:0 c:50:0 d:0:0', 'a c'",
        "100, 0, 'A:100:9 b:100:0', b",
        "150, 0, 'A:100:9 B:300:9 c:100:0', 'c A'",
        "250, 0, 'A:100:9 B:300:9 c:100:0', B",
        "100, 100, 'a:100:0 b:0:100 c:100:100', c",
        "100, 0, 'a:100:50 b:100:20', b",
        "100, 0, 'a!:100:0', -",
        "100, 0, 'a!:100:0 b:50:0', -",
        "100, 0, -, -",
      })
  void theFewestAndLeastPromised(
      long cpu, long memory, @Nullable String others, @Nullable String victims) {
    Map<NodeResource, Long> missing = new EnumMap<>(NodeResource.class);
    missing.put(NodeResource.CPU, cpu);
    if (memory > 0) {
      missing.put(NodeResource.MEMORY, memory);
    }
    List<Pod> pods =
        others == null
            ? List.of()
            : Arrays.stream(others.split(" ")).map(CriticalPodPreemptionTest::pod).toList();

    assertThat(
            new CriticalPodPreemption(pod("x!:500:0"), pods)
                .victims(missing)
                .map(CriticalPodPreemptionTest::names)
                .orElse(null))
        .isEqualTo(victims);
  }

  @ParameterizedTest(name = "{0} of them have to go: {1}")
  @CsvSource({"1, d", "2, d a", "3, d a b"})
  void whereThereAreTooManyPodsThoseThatWerePromisedNothingGo(long missing, String victims) {
    List<Pod> pods = List.of(pod("a:100:0"), pod("b:200:0"), pod("C:100:100"), pod("d:0:0"));

    assertThat(
            new CriticalPodPreemption(pod("x!:0:0"), pods)
                .victims(Map.of(NodeResource.PODS, missing))
                .map(CriticalPodPreemptionTest::names))
        .contains(victims);
  }

  private static String names(List<Pod> pods) {
    return pods.stream().map(one -> one.getMetadata().getName()).collect(Collectors.joining(" "));
  }

  private static Pod pod(String text) {
    String[] parts = text.split(":", -1);
    String name = parts[0].replace("!", "");
    String amounts =
        parts[1].equals("0") && parts[2].equals("0")
            ? "{}"
            : "{cpu: %sm, memory: %s}".formatted(parts[1], parts[2]);
    boolean isGuaranteed = Character.isUpperCase(name.charAt(0));
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          priority: %d
          containers:
          - resources: {requests: %s, limits: %s}
        """
            .formatted(
                name,
                parts[0].endsWith("!") ? 2_000_000_000 : 0,
                amounts,
                isGuaranteed ? amounts : "{}"),
        Pod.class);
  }
}
