package dev.berth.agent.pods.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.admission.PodAdmissionQueue.Answer;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// For which pods a node has room.
final class PodAdmissionQueueTest {
  private static final int CRITICAL = 2_000_000_000;

  private final PodAdmissionQueue admissions =
      new PodAdmissionQueue(new ContainerCapacity(2_000, 1 << 20, 1 << 20, 3));
  private final List<Pod> present = new ArrayList<>();
  private final List<String> preempted = new ArrayList<>();
  private final Set<String> stopped = new HashSet<>();
  private int offered;

  @ParameterizedTest(name = "beside {0}, {1}: {2}")
  @CsvSource(
      nullValues = "-",
      delimiter = ';',
      value = {
        "{cpu: 1500m}; {cpu: 500m}; -; -",
        "{cpu: 1500m}; {cpu: 600m}; OutOfcpu; "
            + "'cpu, requested: 600, used: 1500, capacity: 2000'",
        "{memory: 1Mi}; {memory: 1}; OutOfmemory; "
            + "'memory, requested: 1, used: 1048576, capacity: 1048576'",
        "{memory: 1Mi}; {}; -; -",
        "{}; {ephemeral-storage: 2Mi}; OutOfephemeral-storage; "
            + "'ephemeral-storage, requested: 2097152, used: 0, capacity: 1048576'",
      })
  void whatIsLeftDecides(String first, String second, String reason, String words) {
    assertThat(offer("{containers: [{resources: {requests: %s}}]}".formatted(first))).isEmpty();

    Optional<PodFailure> refusal =
        offer("{containers: [{resources: {requests: %s}}]}".formatted(second));

    assertThat(refusal.map(PodFailure::reason)).isEqualTo(Optional.ofNullable(reason));
    assertThat(refusal.map(PodFailure::message))
        .isEqualTo(
            Optional.ofNullable(words)
                .map("Pod was rejected: Node didn't have enough resource: "::concat));
  }

  @Test
  void overheadCounts() {
    String spec = "{overhead: {cpu: 600m}, containers: [{resources: {requests: {cpu: 600m}}}]}";
    assertThat(offer(spec)).isEmpty();

    assertThat(offer(spec).map(PodFailure::reason)).contains("OutOfcpu");
  }

  @Test
  void aPortOfTheNodeIsGivenOnce() {
    assertThat(offer("{containers: [{ports: [{hostPort: 80, hostIP: 192.0.2.7}]}]}")).isEmpty();
    assertThat(offer("{containers: [{ports: [{hostPort: 80, protocol: UDP}]}]}")).isEmpty();

    assertThat(offer("{containers: [{ports: [{hostPort: 80}]}]}"))
        .contains(
            new PodFailure(
                FailureReason.NODE_PORTS,
                "Pod was rejected: Predicate NodePorts failed:"
                    + " node(s) didn't have free ports for the requested pod ports"));
  }

  @Test
  void thereAreSoManyPodsAndNoMore() {
    String spec = "{containers: []}";
    assertThat(List.of(offer(spec), offer(spec), offer(spec))).allMatch(Optional::isEmpty);
    assertThat(offer(spec).map(PodFailure::reason)).contains("OutOfpods");

    present.removeFirst();
    assertThat(offer(spec)).isEmpty();
  }

  @Test
  void whoWasTakenStaysAndWhoOnlyAskedTakesNoRoom() {
    String half = "{containers: [{resources: {requests: {cpu: 1100m}}}]}";
    present.add(pod("asks", half, "{}"));
    Pod runs = pod("runs", half, "{startTime: '2026-01-01T00:00:00Z'}");

    assertThat(offer(half)).isEmpty();
    assertThat(offer(half).map(PodFailure::reason)).contains("OutOfcpu");
    present.add(runs);
    assertThat(refusal(runs)).isEmpty();
    assertThat(refusal(present.get(1))).isEmpty();
  }

  /// After a restart of the agent it is found running, without a status that says since when.
  @Test
  void aStaticPodTakesItsRoomBeforeAnythingSaysSo() {
    Pod present = pod("static", half(0), "{}");
    present.getMetadata().setAnnotations(Map.of("kubernetes.io/config.source", "file"));
    this.present.add(present);

    assertThat(offer(half(0)).map(PodFailure::reason)).contains("OutOfcpu");
  }

  @Test
  void whatTheNodeCannotDoWithoutGetsTheRoomOfOthersOnceTheyAreGone() {
    assertThat(offer(half(0))).isEmpty();
    assertThat(offer(half(0)).map(PodFailure::reason)).contains("OutOfcpu");
    assertThat(offer(half(CRITICAL))).isEmpty();
    Pod critical = present.getLast();

    assertThat(preempted)
        .containsExactly("uid-0 Preempting cpu Preempted in order to admit critical pod");
    assertThat(admissions.ask(critical, admittedPods()))
        .isEqualTo(new Answer.Awaiting(List.of("uid-0")));
    assertThat(offer(half(0)).map(PodFailure::reason)).as("the room is taken").contains("OutOfcpu");
    stopped.add("uid-0");
    assertThat(admissions.ask(critical, admittedPods())).isEqualTo(new Answer.Taken());
    assertThat(preempted).hasSize(1);
  }

  @Test
  void whatTheNodeCannotDoWithoutIsRefusedWhereNobodyMayGo() {
    assertThat(offer(half(CRITICAL))).isEmpty();

    assertThat(offer(half(CRITICAL)).map(PodFailure::reason)).contains("OutOfcpu");
    assertThat(preempted).isEmpty();
  }

  @Test
  void nobodyGoesForAPodThatCannotBeTakenAllTheSame() {
    assertThat(offer("{containers: [{ports: [{hostPort: 80}]}]}")).isEmpty();
    assertThat(offer(half(0))).isEmpty();

    assertThat(
            offer(half(CRITICAL).replace("resources:", "ports: [{hostPort: 80}], resources:"))
                .map(PodFailure::reason))
        .contains("NodePorts");
    assertThat(preempted).isEmpty();
  }

  private static String half(int priority) {
    return "{priority: %d, containers: [{resources: {requests: {cpu: 1100m}}}]}"
        .formatted(priority);
  }

  private Optional<PodFailure> offer(String spec) {
    Pod pod = pod("uid-" + offered++, spec, "{}");
    present.add(pod);
    Optional<PodFailure> refusal = refusal(pod);
    if (refusal.isPresent()) {
      present.remove(pod);
    }
    return refusal;
  }

  private Optional<PodFailure> refusal(Pod pod) {
    return admissions.ask(pod, admittedPods()) instanceof Answer.Refused(var podFailure)
        ? Optional.of(podFailure)
        : Optional.empty();
  }

  private AdmittedPods admittedPods() {
    return new AdmittedPods() {
      @Override
      public List<Pod> present() {
        return present;
      }

      @Override
      public boolean hasStopped(String uid) {
        return stopped.contains(uid);
      }

      @Override
      public void preempt(String uid, PodFailure why, String shortOf) {
        preempted.add("%s %s %s %s".formatted(uid, why.reason(), shortOf, why.message()));
      }
    };
  }

  private static Pod pod(String uid, String spec, String status) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: %s}\nspec: %s\nstatus: %s\n"
            .formatted(uid, spec, status),
        Pod.class);
  }
}
