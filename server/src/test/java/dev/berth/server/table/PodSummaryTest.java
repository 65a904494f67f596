package dev.berth.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodSummaryTest {
  private static final String SPEC =
      "'spec':{'initContainers':[{'name':'i'},{'name':'s','restartPolicy':'Always'}],"
          + "'containers':[{'name':'a'},{'name':'b'}]}";

  private static ObjectNode pod(String status, String metadata) {
    String json = "{'metadata':{%s},%s,'status':{%s}}".formatted(metadata, SPEC, status);
    return (ObjectNode)
        JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static PodSummary summary(String status) {
    return PodSummary.of(pod(status, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'state':{'waiting':{'reason':'PodInitializing'}}        | Init:0/2
          'state':{'waiting':{'reason':'ImagePullBackOff'}}       | Init:ImagePullBackOff
          'state':{'terminated':{'exitCode':3}}                   | Init:ExitCode:3
          'state':{'terminated':{'exitCode':137,'signal':9}}      | Init:Signal:9
          'state':{'terminated':{'exitCode':1,'reason':'Error'}}  | Init:Error
          'state':{'running':{}}                                  | Init:0/2
          """)
  void firstUnfinishedInitContainerGivesTheStatus(String state, String status) {
    assertThat(
            summary("'phase':'Pending','initContainerStatuses':[{'name':'i',%s}]".formatted(state))
                .status())
        .isEqualTo(status);
  }

  @Test
  void startedSidecarCountsAsReadyAndDoesNotBlock() {
    PodSummary summary =
        summary(
            "'phase':'Running','initContainerStatuses':["
                + "{'name':'i','restartCount':4,'state':{'terminated':{'exitCode':0}}},"
                + "{'name':'s','started':true,'ready':true,'restartCount':2,'state':{'running':{}}}],"
                + "'containerStatuses':[{'ready':true,'state':{'running':{}}},"
                + "{'restartCount':1,'state':{'waiting':{'reason':'CrashLoopBackOff'}},"
                + "'lastState':{'terminated':{'finishedAt':'2026-01-01T00:00:00Z'}}}]");
    assertThat(summary)
        .isEqualTo(new PodSummary(2, 3, "CrashLoopBackOff", 3, "2026-01-01T00:00:00Z"));
  }

  @Test
  void completedPodWithARunningContainerIsNotReadyUnlessItsConditionSaysSo() {
    String containers =
        "'phase':'Running','containerStatuses':[{'state':{'terminated':{'reason':'Completed'}}},"
            + "{'ready':true,'state':{'running':{}}}]";
    assertThat(summary(containers).status()).isEqualTo("NotReady");
    assertThat(summary(containers + ",'conditions':[{'type':'Ready','status':'True'}]").status())
        .isEqualTo("Running");
  }

  @Test
  void deletionShowsAsTerminatingUntilThePodHasEnded() {
    String deleted = "'deletionTimestamp':'2026-01-01T00:00:00Z'";
    assertThat(PodSummary.of(pod("'phase':'Running'", deleted)).status()).isEqualTo("Terminating");
    assertThat(PodSummary.of(pod("'phase':'Failed'", deleted)).status()).isEqualTo("Failed");
    assertThat(PodSummary.of(pod("'phase':'Running','reason':'NodeLost'", deleted)).status())
        .isEqualTo("Unknown");
  }

  @Test
  void gatedPodSaysSo() {
    assertThat(
            summary(
                    "'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False',"
                        + "'reason':'SchedulingGated'}]")
                .status())
        .isEqualTo("SchedulingGated");
  }
}
