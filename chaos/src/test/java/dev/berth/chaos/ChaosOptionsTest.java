package dev.berth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.chaos.faults.FaultKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What `./dev chaos` accepts.
final class ChaosOptionsTest {
  @Test
  void withoutArgumentsEverythingIsAttackedForTenMinutesWithANewSeed() {
    ChaosOptions options = ChaosOptions.parse(List.of(), 77);

    assertThat(options.time()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.seed()).isEqualTo(77);
    assertThat(options.arenas()).containsExactly(ArenaName.values());
    assertThat(options.faults()).containsExactlyInAnyOrder(FaultKind.values());
  }

  @Test
  void minutesSeedArenasAndFaultsCanBeGiven() {
    ChaosOptions options =
        ChaosOptions.parse(
            List.of("3", "--seed", "5", "--arenas", "etcd", "--faults", "kill,network-cut"), 77);

    assertThat(options.time()).isEqualTo(Duration.ofMinutes(3));
    assertThat(options.seed()).isEqualTo(5);
    assertThat(options.arenas()).containsExactly(ArenaName.ETCD);
    assertThat(options.faults()).containsExactlyInAnyOrder(FaultKind.KILL, FaultKind.NETWORK_CUT);
  }

  @Test
  void aMistakeSaysWhatWouldBeAccepted() {
    assertThatThrownBy(() -> ChaosOptions.parse(List.of("--arenas", "moon"), 1))
        .hasMessageStartingWith("--arenas moon: must be of embedded, etcd");
    assertThatThrownBy(() -> ChaosOptions.parse(List.of("--seed"), 1))
        .hasMessage("--seed needs a value");
    assertThatThrownBy(() -> ChaosOptions.parse(List.of("soon"), 1))
        .hasMessage("soon is neither a number of minutes (1 to 9999) nor an option");
  }
}
