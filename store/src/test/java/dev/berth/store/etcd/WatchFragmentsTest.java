package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WatchFragmentsTest {

  /// Messages are separated by bars, one that others follow ends with a plus.
  @ParameterizedTest
  @CsvSource({
    "'1 2 3', '1 2 3'",
    "'1 2+|3', '1|2 3'",
    "'1 2 2+|2 3+|3', '1|2 2 2|3 3'",
    "'1+|1+|1', '||1 1 1'",
    "'1+|2+|3|4', '|1|2 3|4'",
  })
  void aRevisionIsHandedOnWhenAllOfItIsThere(String messages, String expected) {
    WatchFragments fragments = new WatchFragments();
    List<String> complete = new ArrayList<>();
    for (String message : messages.split("\\|", -1)) {
      complete.add(revisions(fragments.complete(response(message))));
    }
    assertThat(String.join("|", complete)).isEqualTo(expected);
  }

  private static WatchResponse response(String message) {
    WatchResponse.Builder response = WatchResponse.newBuilder();
    for (String revision : message.replace("+", "").split(" ", -1)) {
      KeyValue pair = KeyValue.newBuilder().setModRevision(Long.parseLong(revision)).build();
      response.addEvents(Event.newBuilder().setKv(pair));
    }
    if (message.endsWith("+")) {
      response.setUnknownFields(WatchFragments.flag(7));
    }
    return response.build();
  }

  private static String revisions(List<Event> events) {
    return String.join(
        " ", events.stream().map(event -> "" + event.getKv().getModRevision()).toList());
  }
}
