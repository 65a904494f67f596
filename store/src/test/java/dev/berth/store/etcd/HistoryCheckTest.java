package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.etcd.LastSeenRevision.Trace;
import org.junit.jupiter.api.Test;

final class HistoryCheckTest {
  @Test
  void theHistoryThatWasSeenIsFollowed() {
    assertThat(HistoryCheck.of(7, 7, Trace.FOUND)).isEqualTo(new HistoryCheck.Follow());
    assertThat(HistoryCheck.of(7, 900, Trace.FOUND)).isEqualTo(new HistoryCheck.Follow());
  }

  @Test
  void anotherHistoryThatHasComeFurtherIsReadAnew() {
    assertThat(HistoryCheck.of(7, 8, Trace.MISSING)).isEqualTo(new HistoryCheck.Reload());
  }

  @Test
  void whatCannotBeToldAnyMoreIsReadAnew() {
    assertThat(HistoryCheck.of(7, 8, Trace.FORGOTTEN)).isEqualTo(new HistoryCheck.Reload());
    assertThat(HistoryCheck.of(7, 7, Trace.FORGOTTEN)).isEqualTo(new HistoryCheck.Follow());
  }

  @Test
  void anotherHistoryThatClientsCouldNotTellIsRefused() {
    assertThat(HistoryCheck.of(7, 6, Trace.MISSING))
        .isEqualTo(new HistoryCheck.Refuse("it is at revision 6, this server has seen 7"));
    assertThat(HistoryCheck.of(7, 7, Trace.MISSING))
        .isEqualTo(new HistoryCheck.Refuse("at revision 7 it has other keys than this server saw"));
  }
}
