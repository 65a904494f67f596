package dev.berth.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/// The newest key that was seen below the prefix. It identifies a history after a reconnect.
///
/// Revisions alone do not identify it: etcd counts through the same numbers again after it was
/// wiped or restored, and started with the same flags it has the same cluster id.
sealed interface LastSeenRevision {
  /// A value with the revision at which it was written.
  record Written(ByteString key, long revision, ByteString value) implements LastSeenRevision {}

  record Deleted(ByteString key, long revision) implements LastSeenRevision {}

  /// No key existed below the prefix.
  record Nothing() implements LastSeenRevision {}

  /// Whether etcd still has the key at the revision where it was seen; unknown when etcd has
  /// compacted that revision.
  enum Trace {
    FOUND,
    MISSING,
    FORGOTTEN
  }

  static LastSeenRevision of(Event event) {
    KeyValue pair = event.getKv();
    return event.getType() == Event.EventType.DELETE
        ? new Deleted(pair.getKey(), pair.getModRevision())
        : of(pair);
  }

  static LastSeenRevision of(KeyValue pair) {
    return new Written(pair.getKey(), pair.getModRevision(), pair.getValue());
  }

  /// Looks for the key in etcd.
  ///
  /// @param seen the revision up to which nothing newer than this was seen
  default Trace trace(EtcdClient client, long seen) {
    try {
      return isIn(client, seen) ? Trace.FOUND : Trace.MISSING;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.OUT_OF_RANGE) {
        return Trace.FORGOTTEN;
      }
      throw e;
    }
  }

  private boolean isIn(EtcdClient client, long seen) {
    return switch (this) {
      case Written(ByteString key, long revision, ByteString value) ->
          client.keys().range(at(seen).setKey(key).build()).getKvsList().stream()
              .anyMatch(pair -> pair.getModRevision() == revision && pair.getValue().equals(value));
      case Deleted(ByteString key, long revision) ->
          count(client, at(seen).setKey(key)) == 0
              && count(client, at(revision - 1).setKey(key)) == 1;
      case Nothing() ->
          count(client, at(seen).setKey(client.key("")).setRangeEnd(client.rangeEnd())) == 0;
    };
  }

  private static RangeRequest.Builder at(long revision) {
    return RangeRequest.newBuilder().setRevision(revision);
  }

  private static long count(EtcdClient client, RangeRequest.Builder request) {
    return client.keys().range(request.setCountOnly(true).build()).getCount();
  }
}
