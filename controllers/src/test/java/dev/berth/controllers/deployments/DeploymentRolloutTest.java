package dev.berth.controllers.deployments;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeploymentRolloutTest {
  private static DeploymentRevision set(int number, int replicas, int available) {
    return set(number, replicas, available, 10, 13);
  }

  private static DeploymentRevision set(
      int number, int replicas, int available, int wanted, int most) {
    return DeploymentRevision.of(
        json(
            """
            {'metadata': {'name': 'web-%d', 'creationTimestamp': '2024-01-0%dT00:00:00Z', 'generation': 1,
              'annotations': {'deployment.kubernetes.io/revision': '%d',
                'deployment.kubernetes.io/desired-replicas': '%d', 'deployment.kubernetes.io/max-replicas': '%d'}},
             'spec': {'replicas': %d},
             'status': {'replicas': %d, 'availableReplicas': %d, 'observedGeneration': 1}}
            """
                .formatted(number, number, number, wanted, most, replicas, replicas, available)));
  }

  private static Map<String, Integer> names(Map<DeploymentRevision, Integer> plan) {
    Map<String, Integer> named = new TreeMap<>();
    plan.forEach((one, replicas) -> named.put(one.name(), replicas));
    return named;
  }

  @ParameterizedTest
  @CsvSource({
    "10, 25%, 25%, 3, 2",
    "10, 2, 1, 2, 1",
    "1, 25%, 25%, 1, 0",
    "3, 0, 10%, 0, 1",
    "2, 0, 5, 0, 2",
  })
  void boundsMayBePercentagesOfWhichTheSurgeIsRoundedUp(
      int replicas, String maxSurge, String maxUnavailable, int surge, int unavailable) {
    ObjectNode deployment =
        json(
            "{'spec':{'replicas':%d,'strategy':{'rollingUpdate':{'maxSurge':'%s','maxUnavailable':'%s'}}}}"
                .formatted(replicas, maxSurge, maxUnavailable));

    assertThat(RolloutStrategy.of(deployment))
        .isEqualTo(new RolloutStrategy(replicas, false, surge, unavailable));
  }

  @ParameterizedTest
  @CsvSource({
    // wanted, surge, unavailable | new: replicas, available | old: replicas, available | next
    "10, 3, 2, 0, 0, 10, 10, '{web-2=3}'",
    "10, 3, 2, 3, 0, 10, 10, '{web-1=8}'",
    "10, 3, 2, 3, 0, 8, 8, '{web-2=5}'",
    "10, 3, 2, 5, 0, 8, 8, '{}'",
    "10, 3, 2, 5, 5, 8, 8, '{web-1=3}'",
    "10, 3, 2, 5, 5, 8, 5, '{web-1=3}'",
    "10, 3, 2, 10, 10, 3, 3, '{web-1=0}'",
    "10, 3, 2, 10, 10, 0, 0, '{}'",
    "10, 0, 1, 0, 0, 10, 10, '{web-1=9}'",
    "10, 1, 0, 1, 0, 10, 10, '{}'",
    "10, 1, 0, 1, 1, 10, 10, '{web-1=9}'",
    "2, 1, 0, 3, 3, 0, 0, '{web-2=2}'",
    "10, 3, 2, 3, 0, 10, 0, '{web-1=8}'",
  })
  void theNewRevisionGrowsAndOldOnesShrinkWithinTheBounds(
      int wanted,
      int surge,
      int unavailable,
      int replicas,
      int available,
      int oldReplicas,
      int oldAvailable,
      String next) {
    Map<DeploymentRevision, Integer> plan =
        DeploymentRollout.roll(
            new RolloutStrategy(wanted, false, surge, unavailable),
            set(2, replicas, available),
            List.of(set(1, oldReplicas, oldAvailable)));

    assertThat(names(plan)).hasToString(next);
  }

  @Test
  void sickPodsOfAnyOldRevisionGoBeforeHealthyOnes() {
    Map<DeploymentRevision, Integer> plan =
        DeploymentRollout.roll(
            new RolloutStrategy(10, false, 3, 2),
            set(3, 3, 3),
            List.of(set(1, 6, 6), set(2, 4, 0)));

    assertThat(names(plan)).hasToString("{web-1=5, web-2=0}");
  }

  /// From every state the rollout ends, and never leaves its bounds on the way.
  @RepeatedTest(200)
  void everyRolloutEndsAndKeepsItsBounds(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int wanted = 1 + random.nextInt(12);
    int surge = random.nextInt(4);
    RolloutStrategy strategy =
        new RolloutStrategy(
            wanted, false, surge, Math.min(wanted, random.nextInt(4) + (surge == 0 ? 1 : 0)));
    List<DeploymentRevision> old = new ArrayList<>(List.of(set(1, wanted, wanted)));
    DeploymentRevision latest = set(2, DeploymentRollout.first(strategy, old), 0);
    for (int step = 0; step < 500; step++) {
      int all = latest.replicas() + DeploymentRollout.total(old);
      assertThat(all).isLessThanOrEqualTo(strategy.most());
      int available =
          latest.available() + old.stream().mapToInt(DeploymentRevision::available).sum();
      assertThat(available).isGreaterThanOrEqualTo(strategy.leastAvailable());
      Map<DeploymentRevision, Integer> plan = DeploymentRollout.roll(strategy, latest, old);
      if (plan.isEmpty() && latest.available() == wanted) {
        break;
      }
      DeploymentRevision before = latest;
      int replicas = plan.getOrDefault(before, before.replicas());
      int ready = Math.min(replicas, before.available() + random.nextInt(2));
      latest = set(2, replicas, ready);
      old.replaceAll(
          one -> {
            int left = plan.getOrDefault(one, one.replicas());
            return set(1, left, left);
          });
    }
    assertThat(latest.replicas()).isEqualTo(wanted);
    assertThat(DeploymentRollout.total(old)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "false, 10, 0, 10",
    "false, 10, 10, 3",
    "false, 10, 13, 0",
    "true, 10, 10, 10",
  })
  void aNewRevisionBeginsWithWhatThereIsRoomFor(
      boolean recreate, int wanted, int old, int expected) {
    assertThat(
            DeploymentRollout.first(
                new RolloutStrategy(wanted, recreate, recreate ? 0 : 3, 2),
                List.of(set(1, old, old))))
        .isEqualTo(expected);
  }

  @Test
  void scalingInTheMiddleOfARolloutKeepsTheProportions() {
    Map<DeploymentRevision, Integer> plan =
        DeploymentRollout.scale(
            new RolloutStrategy(20, false, 5, 5), Optional.of(set(2, 5, 2)), List.of(set(1, 8, 8)));

    assertThat(names(plan)).hasToString("{web-1=15, web-2=10}");
  }

  @Test
  void scalingToNothingLeavesNothing() {
    Map<DeploymentRevision, Integer> plan =
        DeploymentRollout.scale(
            new RolloutStrategy(0, false, 0, 0), Optional.of(set(2, 5, 2)), List.of(set(1, 8, 8)));

    assertThat(names(plan)).hasToString("{web-1=0, web-2=0}");
  }

  @Test
  void scalingWithoutARolloutChangesTheOneActiveSet() {
    assertThat(
            names(
                DeploymentRollout.scale(
                    new RolloutStrategy(4, false, 1, 1),
                    Optional.of(set(2, 2, 2)),
                    List.of(set(1, 0, 0)))))
        .hasToString("{web-2=4}");
    assertThat(
            names(
                DeploymentRollout.scale(
                    new RolloutStrategy(4, false, 1, 1), Optional.empty(), List.of(set(1, 2, 2)))))
        .hasToString("{web-1=4}");
  }

  @Test
  void aChangeOfTheWantedNumberIsNoticedBySetsThatRemember() {
    assertThat(
            DeploymentRollout.isScaling(
                new RolloutStrategy(10, false, 3, 2), List.of(set(1, 10, 10))))
        .isFalse();
    assertThat(
            DeploymentRollout.isScaling(
                new RolloutStrategy(11, false, 3, 2), List.of(set(1, 10, 10))))
        .isTrue();
    assertThat(
            DeploymentRollout.isScaling(
                new RolloutStrategy(11, false, 3, 2), List.of(set(1, 0, 0))))
        .isFalse();
  }

  @Test
  void theOldestEmptyRevisionsBeyondTheLimitAreForgotten() {
    List<DeploymentRevision> old = List.of(set(3, 0, 0), set(1, 0, 0), set(2, 0, 0), set(4, 1, 1));

    assertThat(DeploymentRollout.forgotten(old, 2))
        .extracting(DeploymentRevision::name)
        .containsExactly("web-1", "web-2");
    assertThat(DeploymentRollout.forgotten(old, 0))
        .extracting(DeploymentRevision::name)
        .containsExactly("web-1", "web-2", "web-3");
    assertThat(DeploymentRollout.forgotten(old, 10)).isEmpty();
  }
}
