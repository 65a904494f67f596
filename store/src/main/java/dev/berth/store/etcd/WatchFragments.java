package dev.berth.store.etcd;

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.util.ArrayList;
import java.util.List;

/// Joins the fragments of etcd's watch responses. etcd splits a response of many missed changes
/// into messages of the size of one request instead of sending one of a gigabyte.
///
/// A fragment may end within a revision; its beginning waits here, so that all changes of a
/// transaction become visible together.
final class WatchFragments {
  /// Fields of etcd 3.4 that the library's messages do not have.
  private static final int REQUEST_FRAGMENT = 8;

  private static final int RESPONSE_FRAGMENT = 7;

  private final List<Event> waiting = new ArrayList<>();

  static WatchCreateRequest.Builder allowedBy(WatchCreateRequest.Builder request) {
    return request.setUnknownFields(flag(REQUEST_FRAGMENT));
  }

  static UnknownFieldSet flag(int number) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
        .build();
  }

  /// Returns the events of all revisions that are complete.
  List<Event> complete(WatchResponse response) {
    List<Event> events = new ArrayList<>(waiting);
    events.addAll(response.getEventsList());
    waiting.clear();
    if (response.getUnknownFields().getField(RESPONSE_FRAGMENT).getVarintList().contains(1L)) {
      long last = events.getLast().getKv().getModRevision();
      // The next fragment may continue the last revision, so all events of that revision wait for
      // it.
      int from = events.size();
      while (from > 0 && events.get(from - 1).getKv().getModRevision() == last) {
        from--;
      }
      List<Event> incomplete = events.subList(from, events.size());
      waiting.addAll(incomplete);
      incomplete.clear();
    }
    return events;
  }
}
