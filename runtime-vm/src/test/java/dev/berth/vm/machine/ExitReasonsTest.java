package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.vm.machine.MachineExit.ExitReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExitReasonsTest {
  @ParameterizedTest
  @CsvSource({
    "true, '', '', KILLED",
    "true, guest-reset, '', KILLED",
    "false, guest-shutdown, '', POWERED_OFF",
    "false, guest-reset, '', PANICKED",
    "false, guest-panic, '', PANICKED",
    "false, guest-reset, Kernel panic - not syncing: sysrq, PANICKED",
    "false, '', Kernel panic - not syncing: sysrq, PANICKED",
    "false, '', reboot: Power down, POWERED_OFF",
    "false, host-signal, '', VANISHED",
    "false, '', booted, VANISHED",
  })
  void anEndHasAReason(boolean killed, String shutdown, String console, ExitReason reason) {
    assertThat(ExitReasons.of(killed, shutdown, console, "").reason()).isEqualTo(reason);
  }

  @Test
  void aPanicIsQuoted() {
    assertThat(
            ExitReasons.of(false, "", "a\nKernel panic - not syncing: no init\nCall Trace:\n", "")
                .detail())
        .isEqualTo("the guest's kernel stopped: Kernel panic - not syncing: no init");
  }

  @Test
  void whatQemuSaidLastIsQuoted() {
    assertThat(ExitReasons.of(false, "host-signal", "booted\n", "terminating on signal 15\n"))
        .isEqualTo(
            new MachineExit(
                ExitReason.VANISHED,
                "QEMU ended by host-signal; QEMU: terminating on signal 15; console: booted"));
  }
}
