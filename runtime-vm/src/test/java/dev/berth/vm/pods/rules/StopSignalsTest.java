package dev.berth.vm.pods.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.Signal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StopSignalsTest {
  @ParameterizedTest
  @CsvSource({
    "RUNTIME_DEFAULT, '', 15",
    "RUNTIME_DEFAULT, SIGQUIT, 3",
    "RUNTIME_DEFAULT, winch, 28",
    "RUNTIME_DEFAULT, 10, 10",
    "RUNTIME_DEFAULT, 99, 15",
    "RUNTIME_DEFAULT, nonsense, 15",
    "RUNTIME_DEFAULT, SIGRTMIN+3, 37",
    "SIGUSR1, SIGQUIT, 10",
    "SIGIOT, '', 6",
    "SIGRTMIN, '', 34",
    "SIGRTMINPLUS15, '', 49",
    "SIGRTMAXMINUS1, '', 63",
    "SIGSYS, '', 31"
  })
  void theContainersSignalComesBeforeThatOfItsImage(Signal own, String ofImage, int number) {
    assertThat(StopSignals.of(own, ofImage)).isEqualTo(number);
  }
}
