package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.etcd.Landmark.Trace;
import org.junit.jupiter.api.Test;

final class FindingTest {
  @Test
  void theHistoryThatWasSeenIsFollowed() {
    assertThat(Finding.of(7, 7, Trace.FOUND)).isEqualTo(new Finding.Follow());
    assertThat(Finding.of(7, 900, Trace.FOUND)).isEqualTo(new Finding.Follow());
  }

  @Test
  void anotherHistoryThatHasComeFurtherIsReadAnew() {
    assertThat(Finding.of(7, 8, Trace.MISSING)).isEqualTo(new Finding.Reload());
  }

  @Test
  void whatCannotBeToldAnyMoreIsReadAnew() {
    assertThat(Finding.of(7, 8, Trace.FORGOTTEN)).isEqualTo(new Finding.Reload());
    assertThat(Finding.of(7, 7, Trace.FORGOTTEN)).isEqualTo(new Finding.Follow());
  }

  @Test
  void anotherHistoryThatClientsCouldNotTellIsRefused() {
    assertThat(Finding.of(7, 6, Trace.MISSING))
        .isEqualTo(new Finding.Refuse("it is at revision 6, this server has seen 7"));
    assertThat(Finding.of(7, 7, Trace.MISSING))
        .isEqualTo(new Finding.Refuse("at revision 7 it has other keys than this server saw"));
  }
}
