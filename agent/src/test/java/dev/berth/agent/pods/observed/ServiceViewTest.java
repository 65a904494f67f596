package dev.berth.agent.pods.observed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.observed.ObservedContainer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is known of pods, from facts that arrive in any order.
final class ServiceViewTest {
  private final List<String> told = new ArrayList<>();
  private final ServiceView view =
      new ServiceView(
          new ObservationListener() {
            @Override
            public void changed(String podUid) {
              told.add(podUid);
            }

            @Override
            public void regained() {
              told.add("regained");
            }
          });

  @Test
  void nothingIsKnownBeforeTheFirstListAndAfterALoss() {
    assertThat(view.look("1")).isEmpty();

    list(Map.of());
    assertThat(view.look("1")).contains(ObservedPod.NOTHING);
    view.lose();

    assertThat(view.look("1")).isEmpty();
    assertThat(told).containsExactly("regained");
  }

  @Test
  void aListThatWasBegunEarlierDoesNotTakeAwayWhatWasMadeSince() {
    list(Map.of());
    long begun = view.beginList();
    view.put("1", sandbox("s"));
    view.put("1", container("c", State.RUNNING));

    view.listed(begun, new ServiceListing(Map.of()));
    assertThat(view.look("1").orElseThrow().containers()).hasSize(1);
    list(Map.of());

    assertThat(view.look("1")).contains(ObservedPod.NOTHING);
  }

  @Test
  void nothingIsKeptOfPodsThatAreGone() {
    list(Map.of("theirs", new ObservedPod(List.of(sandbox("s")), List.of())));
    assertThat(view.size()).isEqualTo(1);
    list(Map.of());
    assertThat(view.size()).isZero();

    view.put("1", sandbox("t"));
    view.sandboxGone("1", "t");
    view.forget("1");
    view.sandboxGone("1", "t"); // the event of what the agent did itself
    list(Map.of());

    assertThat(view.size()).isZero();
  }

  @Test
  void aStateNeverGoesBack() {
    list(Map.of());
    view.put("1", container("c", State.EXITED));
    view.put("1", container("c", State.RUNNING));
    view.put("1", container("c", State.CREATED));

    assertThat(view.look("1").orElseThrow().containers().getFirst().state())
        .isEqualTo(State.EXITED);
  }

  @Test
  void whatIsGoneDoesNotComeBackWithAListThatWasBegunEarlier() {
    list(Map.of());
    view.put("1", sandbox("s"));
    view.put("1", container("c", State.EXITED));
    long begun = view.beginList();
    view.sandboxGone("1", "s");

    view.listed(
        begun,
        new ServiceListing(
            Map.of(
                "1",
                new ObservedPod(List.of(sandbox("s")), List.of(container("c", State.EXITED))))));

    assertThat(view.look("1")).contains(ObservedPod.NOTHING);
  }

  @Test
  void aDoubtfulPodIsUnknownUntilAListThatWasBegunLater() {
    list(Map.of());
    long begun = view.beginList();
    view.doubt("1");
    view.listed(begun, new ServiceListing(Map.of()));
    assertThat(view.look("1")).isEmpty();

    list(Map.of());

    assertThat(view.look("1")).contains(ObservedPod.NOTHING);
    assertThat(told).contains("1");
  }

  @Test
  void nobodyIsToldWhatIsKnown() {
    list(Map.of());
    view.put("1", container("c", State.RUNNING));
    told.clear();

    view.put("1", container("c", State.RUNNING));

    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, NOTHING, false, 20",
    "400, 1, NOTHING, false, 50",
    "60000, 1, NOTHING, false, 1000",
    "60000, 1, NOTHING, true, 250",
    "0, 30, NOTHING, true, 300",
    "0, 2000, NOTHING, true, 1000",
    "0, 2000, EXITS, true, 1000",
    "600000, 2000, EXITS, false, 10000",
    "400, 1, EXITS, false, 50",
    "60000, 1, EXITS, true, 2500",
    "600000, 1, EXITS, false, 10000",
    "0, 1, EVERYTHING, true, 30000",
  })
  void listsComeOftenWhileSomethingHappens(
      int sinceActivity,
      int listing,
      RelistInterval.ReportedChanges reported,
      boolean expects,
      int pause) {
    RelistInterval pace =
        new RelistInterval(
            Duration.ofMillis(sinceActivity), Duration.ofMillis(listing), reported, expects);

    assertThat(pace.pause()).isEqualTo(Duration.ofMillis(pause));
  }

  private void list(Map<String, ObservedPod> pods) {
    view.listed(view.beginList(), new ServiceListing(pods));
  }

  private static ObservedSandbox sandbox(String id) {
    return new ObservedSandbox(id, 0, true, Instant.EPOCH, "", List.of(), Map.of());
  }

  private static ObservedContainer container(String id, State state) {
    return new ObservedContainer(
        id, "s", "main", 0, state, "", "", Instant.EPOCH, null, null, 0, "", "", "", Map.of());
  }
}
