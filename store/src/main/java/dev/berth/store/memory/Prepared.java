package dev.berth.store.memory;

import dev.berth.store.Decoder;
import dev.berth.store.Encoded;
import dev.berth.store.StoreLimits;
import dev.berth.store.ValueTooLargeException;
import dev.berth.store.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// A write that was checked and decoded on its caller's thread; a delete has neither bytes nor
/// value.
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Prepared<V>(Write write, byte @Nullable [] bytes, @Nullable LongFunction<V> value) {

  public static <V> Prepared<V> of(Write write, Decoder<V> decoder, StoreLimits limits) {
    Keys.bucket(write.key());
    Encoded value =
        switch (write) {
          case Write.Create create -> create.value();
          case Write.Replace replace -> replace.value();
          case Write.Delete _ -> null;
        };
    if (value == null) {
      return new Prepared<>(write, null, null);
    }
    byte[] bytes = value.bytes();
    if (bytes.length > limits.maxValueBytes()) {
      throw new ValueTooLargeException(write.key(), bytes.length, limits.maxValueBytes());
    }
    return new Prepared<>(
        write, decoder.stored(write.key(), value), decoder.decode(write.key(), value));
  }

  /// The writes of one transaction, where each key may be written once.
  public static <V> List<Prepared<V>> all(
      List<Write> writes, Decoder<V> decoder, StoreLimits limits) {
    Set<String> keys = new HashSet<>();
    List<Prepared<V>> all = new ArrayList<>(writes.size());
    for (Write write : writes) {
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
