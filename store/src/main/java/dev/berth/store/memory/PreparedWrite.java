package dev.berth.store.memory;

import dev.berth.store.EncodedObject;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWrite;
import dev.berth.store.StoredDecoder;
import dev.berth.store.ValueTooLargeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// A write that was checked and decoded; a delete has neither bytes nor value.
///
/// Encoding, decoding and encryption happen on the caller's thread: the one thread that commits
/// only compares revisions and writes bytes.
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PreparedWrite<V>(
    StoreWrite write, byte @Nullable [] bytes, @Nullable LongFunction<V> value) {

  public static <V> PreparedWrite<V> of(
      StoreWrite write, StoredDecoder<V> decoder, StoreLimits limits) {
    KeyParts.bucket(write.key());
    EncodedObject value =
        switch (write) {
          case StoreWrite.Create create -> create.value();
          case StoreWrite.Replace replace -> replace.value();
          case StoreWrite.Delete _ -> null;
        };
    if (value == null) {
      return new PreparedWrite<>(write, null, null);
    }
    byte[] bytes = value.bytes();
    if (bytes.length > limits.maxValueBytes()) {
      throw new ValueTooLargeException(write.key(), bytes.length, limits.maxValueBytes());
    }
    return new PreparedWrite<>(
        write, decoder.stored(write.key(), value), decoder.decode(write.key(), value));
  }

  /// The writes of one transaction, where each key may be written once.
  public static <V> List<PreparedWrite<V>> all(
      List<StoreWrite> writes, StoredDecoder<V> decoder, StoreLimits limits) {
    Set<String> keys = new HashSet<>();
    List<PreparedWrite<V>> all = new ArrayList<>(writes.size());
    for (StoreWrite write : writes) {
      if (!keys.add(write.key())) {
        throw new IllegalArgumentException("two writes of " + write.key() + " in one transaction");
      }
      all.add(of(write, decoder, limits));
    }
    return all;
  }

  public String key() {
    return write.key();
  }
}
