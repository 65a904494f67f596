package dev.berth.store.etcd;

import com.google.protobuf.ByteString;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoredDecoder;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.JournalContents;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads all keys below the prefix, page by page at one revision.
final class EtcdLoader<V> {
  private static final Logger log = LoggerFactory.getLogger(EtcdLoader.class);

  /// Approximate upper bound of a page in bytes. etcd answers with one message, and gRPC refuses a
  /// longer message before reading it.
  private static final int PAGE_BYTES = 16 << 20;

  private static final int PAGE_KEYS = 500;

  /// Bounds the pages that wait for a decoder: each holds all its bytes in memory.
  private static final int PAGES_WAITING = 3;

  /// Appended to a key this gives the next possible key.
  private static final ByteString AFTER = ByteString.copyFrom(new byte[1]);

  /// @param newest the key that was written last
  record Loaded<V>(JournalContents<V> contents, LastSeenRevision newest) {}

  private record Pages<V>(
      long revision, List<Future<List<HeldEntry<V>>>> pages, LastSeenRevision newest) {}

  private final EtcdClient client;
  private final StoredDecoder<V> decoder;
  private final AtomicBoolean strangerReported = new AtomicBoolean();

  EtcdLoader(EtcdClient client, StoredDecoder<V> decoder) {
    this.client = client;
    this.decoder = decoder;
  }

  /// The replacement for a value that cannot be read; null leaves the key out.
  @FunctionalInterface
  interface Substitute<V> {
    @Nullable HeldEntry<V> of(String key, StoreUnavailableException unreadable);
  }

  /// @throws io.grpc.StatusRuntimeException when etcd does not answer
  /// @throws StoreUnavailableException when what it answers cannot be read
  Loaded<V> load() throws InterruptedException {
    return load(
        (_, unreadable) -> {
          throw unreadable;
        });
  }

  /// @throws io.grpc.StatusRuntimeException when etcd does not answer
  Loaded<V> load(Substitute<V> substitute) throws InterruptedException {
    List<HeldEntry<V>> entries = new ArrayList<>();
    Pages<V> read;
    try (ExecutorService decoders = Executors.newVirtualThreadPerTaskExecutor()) {
      read = readPages(decoders, substitute);
      for (Future<List<HeldEntry<V>>> page : read.pages()) {
        entries.addAll(page.get());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreUnavailableException unreadable) {
        throw unreadable;
      }
      throw new IllegalStateException(e.getCause());
    }
    return new Loaded<>(new JournalContents<>(read.revision(), entries), read.newest());
  }

  private Pages<V> readPages(ExecutorService decoders, Substitute<V> substitute)
      throws InterruptedException {
    List<Future<List<HeldEntry<V>>>> pages = new ArrayList<>();
    Semaphore waiting = new Semaphore(PAGES_WAITING);
    KeyValue newest = KeyValue.getDefaultInstance();
    RangeRequest.Builder request =
        RangeRequest.newBuilder()
            .setKey(client.key(""))
            .setRangeEnd(client.rangeEnd())
            .setLimit(PAGE_KEYS);
    while (true) {
      waiting.acquire();
      RangeResponse page = readPage(request);
      List<KeyValue> pairs = page.getKvsList();
      for (KeyValue pair : pairs) {
        newest = pair.getModRevision() > newest.getModRevision() ? pair : newest;
      }
      pages.add(
          decoders.submit(
              () -> {
                try {
                  return decode(pairs, substitute);
                } finally {
                  waiting.release();
                }
              }));
      // The first page decides the revision; all others are read at it, so that together they are
      // one state.
      if (request.getRevision() == 0) {
        request.setRevision(page.getHeader().getRevision());
      }
      if (!page.getMore()) {
        return new Pages<>(
            request.getRevision(),
            pages,
            newest.getModRevision() == 0
                ? new LastSeenRevision.Nothing()
                : LastSeenRevision.of(newest));
      }
      request.setKey(pairs.getLast().getKey().concat(AFTER));
    }
  }

  /// Asks for fewer keys when their values exceed the message size, and for twice as many after a
  /// small page.
  private RangeResponse readPage(RangeRequest.Builder request) {
    while (true) {
      try {
        boolean single = request.getLimit() == 1;
        RangeResponse page =
            client
                .keys()
                // A single key is read whatever its length: otherwise a server could never start
                // with it.
                .withMaxInboundMessageSize(single ? Integer.MAX_VALUE : PAGE_BYTES)
                .range(request.build());
        if (page.getSerializedSize() < PAGE_BYTES / 4) {
          request.setLimit(Math.min(PAGE_KEYS, request.getLimit() * 2));
        }
        return page;
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED || request.getLimit() == 1) {
          throw e;
        }
        request.setLimit(request.getLimit() / 2);
      }
    }
  }

  private List<HeldEntry<V>> decode(List<KeyValue> pairs, Substitute<V> substitute) {
    List<HeldEntry<V>> decoded = new ArrayList<>(pairs.size());
    for (KeyValue pair : pairs) {
      if (!isOurs(pair.getKey())) {
        continue;
      }
      HeldEntry<V> held;
      try {
        held = decode(pair);
      } catch (StoreUnavailableException e) {
        held = substitute.of(client.fromKey(pair.getKey()), e);
      }
      if (held != null) {
        decoded.add(held);
      }
    }
    return decoded;
  }

  /// Whether a key below the prefix can belong to this store; the first one that cannot is logged.
  boolean isOurs(ByteString key) {
    boolean ours = key.isValidUtf8() && hasBucket(client.fromKey(key));
    if (!ours && !key.equals(client.markKey()) && strangerReported.compareAndSet(false, true)) {
      log.warn(
          "ignored a key in etcd that does not belong to this store, others are not logged key={} prefix={}",
          key.toStringUtf8(),
          client.config().prefix());
    }
    return ours;
  }

  private static boolean hasBucket(String key) {
    int slash = key.indexOf('/');
    return slash > 0 && slash < key.length() - 1;
  }

  /// @throws StoreUnavailableException when the value cannot be read
  HeldEntry<V> decode(KeyValue pair) {
    String key = client.fromKey(pair.getKey());
    byte[] bytes = pair.getValue().toByteArray();
    try {
      V value = decoder.decode(key, bytes).apply(pair.getModRevision());
      return new HeldEntry<>(
          new StoreEntry<>(key, value, pair.getCreateRevision(), pair.getModRevision()),
          bytes.length);
    } catch (RuntimeException e) {
      throw new StoreUnavailableException(
          new StoreHealth.Degraded(
              "key %s%s in etcd cannot be read".formatted(client.config().prefix(), key),
              String.valueOf(e.getMessage()),
              "Correct or delete it with etcdctl, or give this server a prefix of its own (--etcd-prefix)"),
          e);
    }
  }
}
