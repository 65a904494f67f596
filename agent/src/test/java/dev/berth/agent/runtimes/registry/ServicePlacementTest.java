package dev.berth.agent.runtimes.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceHandlers;
import dev.berth.agent.runtimes.health.ServiceHandlers.Source;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.agent.runtimes.registry.ServicePlacement.Choice;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServicePlacementTest {
  /// Services are written `name:handlers:health`, a name that begins with `v` runs virtual
  /// machines, `?` stands for handlers that are not reported. The first of a type is its default.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # services                         | asks | handler | outcome
          # Without a name and a handler: the default of the type, and no other.
          a:runc:ready b:runc:ready          | -    | ''      | a
          a:?:ready                          | -    | ''      | a
          v:x:ready a:runc:ready             | -    | ''      | a
          a:runc:down b:runc:ready           | -    | ''      | wait 1000
          a:runc:connecting b:runc:ready     | -    | ''      | wait 500
          a:runc:nonet b:runc:ready          | -    | ''      | wait 1000
          # A handler: whoever is ready and offers it, the default first.
          a:runc:ready b:runc:ready          | -    | runc    | a
          a:runc:ready b:kata:ready          | -    | kata    | b
          a:kata:down b:kata:ready           | -    | kata    | b
          a:runc:ready b:kata:down           | -    | kata    | wait 1000
          a:runc:ready b:kata:draining       | -    | kata    | wait 10000
          a:runc:ready b:runc:connecting     | -    | kata    | wait 500
          a:runc:ready b:runc:down           | -    | kata    | wait 1000
          a:runc:ready b:runc:nonet          | -    | kata    | refused
          a:runc:ready b:runc:draining       | -    | kata    | refused
          a:runc:ready v:kata:ready          | -    | kata    | refused
          # Nobody is known to offer it, and the default does not tell.
          a:?:ready b:runc:ready             | -    | kata    | a
          a:?:ready b:kata:ready             | -    | kata    | b
          a:?:ready b:kata:down              | -    | kata    | wait 1000
          a:runc:ready b:?:ready             | -    | kata    | refused
          # A name: this one, and no other.
          a:runc:ready b:runc:ready          | b    | ''      | b
          a:runc:ready b:runc:ready          | b    | runc    | b
          a:runc:ready b:runc:ready          | b    | kata    | refused
          a:kata:ready b:?:ready             | b    | kata    | b
          a:runc:ready b:runc:down           | b    | runc    | wait 1000
          a:runc:ready b:runc:down           | b    | kata    | wait 1000
          a:runc:ready b:runc:draining       | b    | runc    | wait 10000
          a:runc:ready                       | c    | runc    | refused
          a:runc:ready v:runc:ready          | v    | runc    | refused
          a:runc:ready b:kata:ready          | default | ''   | a
          a:runc:ready b:kata:ready          | default | kata | refused
          # No service of the type.
          v:x:ready                          | -    | ''      | refused
          """)
  void theServiceIsChosenByTheRules(
      String services, @Nullable String asks, String handler, String outcome) {
    assertThat(outcome(pod(asks, false), handler, services)).isEqualTo(outcome);
  }

  @Test
  void aPodInTheHostsNetworkNeedsNoOther() {
    assertThat(outcome(pod(null, true), "", "a:runc:nonet")).isEqualTo("a");
    assertThat(outcome(pod(null, true), "runc", "a:runc:nonet")).isEqualTo("a");
    assertThat(outcome(pod(null, true), "", "a:runc:down")).isEqualTo("wait 1000");
  }

  @Test
  void anUnknownNameIsRefusedWithWhatThereIs() {
    assertThat(refusal(pod("crio", false), "runc", "a:runc,crun:ready v:?:down"))
        .isEqualTo(
            new Problem(
                "pod web/nginx cannot start",
                "there is no runtime service \"crio\" on this node (there are:"
                    + " a (container, handlers: runc, crun, Ready);"
                    + " v (vm, handlers: not reported, NotReady))",
                "Correct spec.runtimeServiceName, or add the service with `berth runtimes add`"));
  }

  @Test
  void aNameOfTheOtherTypeIsRefusedWithThoseOfTheRightOne() {
    assertThat(refusal(pod("v", false), "", "a:runc:ready v:q:ready"))
        .isEqualTo(
            new Problem(
                "pod web/nginx cannot start",
                "runtime service \"v\" runs vm workloads, and this is a container one (for those"
                    + " there are: a (container, handlers: runc, Ready))",
                "Correct spec.runtimeServiceName"));
  }

  @Test
  void aMissingHandlerIsRefusedWithThoseThereAre() {
    assertThat(refusal(pod("a", false), "kata", "a:runc,crun:ready b:kata:ready"))
        .isEqualTo(
            new Problem(
                "pod web/nginx cannot start",
                "runtime service \"a\" has no handler \"kata\" (it has: runc, crun; on this node"
                    + " there are: a (container, handlers: runc, crun, Ready);"
                    + " b (container, handlers: kata, Ready))",
                "Use a RuntimeClass whose handler it has, or another runtime service"));
    assertThat(refusal(pod(null, false), "kata", "a:runc,crun:ready").why())
        .isEqualTo(
            "no runtime service on this node offers handler \"kata\" (there are: a (container,"
                + " handlers: runc, crun, Ready))");
  }

  @Test
  void anEmptyNodeSaysSo() {
    assertThat(refusal(pod(null, false), "", "").why())
        .isEqualTo("this node has no runtime service for container workloads (there are: none)");
  }

  @Test
  void waitingNamesTheServiceAndItsReason() {
    Choice choice = new ServicePlacement(pod(null, false), "", snapshot("a:runc:down")).decide();

    assertThat(choice)
        .isEqualTo(
            new Choice.Wait(
                new Problem(
                    "pod web/nginx waits", "runtime service \"a\" is not ready: killed", ""),
                ServicePlacement.LATER));
  }

  private static Problem refusal(PodRequest pod, String handler, String services) {
    return ((Choice.Refused) new ServicePlacement(pod, handler, snapshot(services)).decide())
        .problem();
  }

  private static String outcome(PodRequest pod, String handler, String services) {
    return switch (new ServicePlacement(pod, handler, snapshot(services)).decide()) {
      case Choice.Chosen(var service) -> service;
      case Choice.Wait(_, var after) -> "wait " + after.toMillis();
      case Choice.Refused _ -> "refused";
    };
  }

  private static PodRequest pod(@Nullable String asks, boolean hostNetwork) {
    return new PodRequest("uid", "web/nginx", WorkloadType.CONTAINER, asks, hostNetwork, false);
  }

  private static RuntimeSnapshot snapshot(String text) {
    Set<WorkloadType> seen = EnumSet.noneOf(WorkloadType.class);
    List<RuntimeService> services = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      if (!word.isEmpty()) {
        services.add(service(word.split(":", -1), seen));
      }
    }
    return new RuntimeSnapshot(1, services, List.of());
  }

  private static RuntimeService service(String[] fields, Set<WorkloadType> seen) {
    var type = fields[0].startsWith("v") ? WorkloadType.VM : WorkloadType.CONTAINER;
    var endpoint = CriEndpoint.parse("/run/" + fields[0]);
    return new RuntimeService(
        fields[0],
        type,
        endpoint,
        endpoint,
        new DiscoveredService(
            new RuntimeVersion("fake", "1", "v1"), handlers(fields[1]), List.of(), false, false),
        health(fields[2]),
        seen.add(type),
        new RegistrationOrigin.Configured());
  }

  private static ServiceHandlers handlers(String text) {
    return text.equals("?")
        ? ServiceHandlers.UNDISCLOSED
        : new ServiceHandlers(
            Source.REPORTED,
            Arrays.stream(text.split(",", -1)).map(ServiceHandler::named).toList());
  }

  private static ServiceHealth health(String word) {
    Instant since = Instant.EPOCH;
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "ready" -> new ServiceHealth.Ready(since);
      case "connecting" -> new ServiceHealth.Connecting(since);
      case "down" ->
          new ServiceHealth.NotReady(since, new Problem("s", "killed", ""), false, false);
      case "nonet" ->
          new ServiceHealth.NotReady(since, new Problem("s", "no network", ""), true, true);
      case "draining" -> new ServiceHealth.Draining(since, new ServiceHealth.Ready(since));
      default -> throw new IllegalArgumentException(word);
    };
  }
}
