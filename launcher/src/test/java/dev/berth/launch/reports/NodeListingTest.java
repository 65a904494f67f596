package dev.berth.launch.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeListingTest {
  private static final String WINDOWS =
      """
      metadata:
        name: win-1
        labels: {node.kubernetes.io/windows-build: 10.0.17763}
        annotations: {berth.dev/runtime-services: '{"containerd": {"default": true}}'}
      spec: {unschedulable: true}
      status:
        nodeInfo: {osImage: Windows, operatingSystem: windows, architecture: amd64}
        conditions: [{type: Ready, status: 'True'}]
        runtimeHandlers: [{name: ''}, {name: runhcs-wcow-process}, {name: hyperv}]
      """;

  private static final String LINUX =
      """
      metadata: {name: linux-1}
      status:
        nodeInfo:
          osImage: Debian GNU/Linux 13 (trixie)
          operatingSystem: linux
          containerRuntimeVersion: containerd://2.0.5
        conditions: [{type: Ready, status: 'False'}]
      """;

  @Test
  void nodesAreListedWithProductNames() throws IOException {
    CommandReport report = NodeListing.report(List.of(node(WINDOWS), node(LINUX)));

    assertThat(report.rows())
        .extracting(row -> String.join(" | ", row.subList(0, 5)))
        .containsExactly(
            "linux-1 | NotReady | Debian GNU/Linux 13 (trixie) | containerd://2.0.5 | -",
            "win-1 | Ready,SchedulingDisabled | Windows Server 2019 (10.0.17763) | containerd |"
                + " hyperv,runhcs-wcow-process");
    assertThat(report.table(false)).startsWith("NAME ").doesNotContain("KERNEL");
    assertThat(report.document().at("/nodes/1/os").asText())
        .isEqualTo("Windows Server 2019 (10.0.17763)");
  }

  private static ObjectNode node(String yaml) throws IOException {
    return (ObjectNode) new YAMLMapper().readTree(yaml);
  }
}
