package dev.berth.store.etcd;

import com.google.protobuf.ByteString;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.MetadataUtils;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The connection to an etcd cluster. It retries nothing, because a write that was sent may have
/// succeeded.
final class EtcdClient implements AutoCloseable {
  /// gRPC logs a warning for every attempt; this class logs the problem once instead. The field
  /// keeps the logger alive: java.util.logging drops an unreferenced logger together with its
  /// level.
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  static {
    GRPC.setLevel(Level.SEVERE);
  }

  /// Metadata that makes a member without a leader fail at once instead of waiting for an election.
  private static final Metadata.Key<String> REQUIRE_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

  /// Maximum size of a watch message, far above what etcd sends: it accepts 1.5 MiB per request
  /// unless `--max-request-bytes` says otherwise.
  private static final int WATCH_BYTES = 32 << 20;

  private final EtcdConfig config;
  private final EndpointsResolver.Provider resolver = new EndpointsResolver.Provider();
  private final ManagedChannel channel;

  EtcdClient(EtcdConfig config) {
    this.config = config;
    NameResolverRegistry.getDefaultRegistry().register(resolver);
    Metadata headers = new Metadata();
    headers.put(REQUIRE_LEADER, "true");
    this.channel =
        channel()
            // gRPC's default policy uses one member until its connection breaks.
            .defaultLoadBalancingPolicy("round_robin")
            .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            // A member that vanished without closing its connections would otherwise keep a watch
            // silent forever. etcd refuses pings more often than every 5 seconds
            // (`--grpc-keepalive-min-time`).
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS)
            .build();
  }

  private ManagedChannelBuilder<?> channel() {
    String target = EndpointsResolver.Provider.target(config.endpoints());
    if (!config.secure()) {
      return Grpc.newChannelBuilder(target, InsecureChannelCredentials.create());
    }
    try {
      return Grpc.newChannelBuilder(target, credentials());
    } catch (IOException | RuntimeException e) {
      // Reading the files and parsing them fail with different exceptions.
      NameResolverRegistry.getDefaultRegistry().deregister(resolver);
      throw badFiles(e);
    }
  }

  private ChannelCredentials credentials() throws IOException {
    TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
    EtcdTls tls = config.tls();
    if (tls == null) {
      return credentials.build();
    }
    Path authority = tls.authority();
    if (authority != null) {
      credentials.trustManager(pem(authority, "CERTIFICATE"));
    }
    Path certificate = tls.certificate();
    Path key = tls.key();
    if (certificate != null && key != null) {
      credentials.keyManager(pem(certificate, "CERTIFICATE"), pem(key, "PRIVATE KEY"));
    }
    return credentials.build();
  }

  private static File pem(Path file, String kind) throws IOException {
    if (!Files.readString(file, StandardCharsets.ISO_8859_1).contains(kind + "-----")) {
      throw new IOException("%s holds no %s in PEM".formatted(file, kind));
    }
    return file.toFile();
  }

  private StoreUnavailableException badFiles(Throwable e) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "etcd at %s cannot be used".formatted(config.servers()),
            "a certificate or key cannot be read: " + e.getMessage(),
            "Give PEM files that this process can read"),
        e);
  }

  EtcdConfig config() {
    return config;
  }

  ByteString key(String key) {
    return ByteString.copyFrom(config.prefix() + key, StandardCharsets.UTF_8);
  }

  String fromKey(ByteString key) {
    return key.toStringUtf8().substring(config.prefix().length());
  }

  /// The end of the range of all keys with our prefix: the prefix with its last byte one higher.
  ByteString rangeEnd() {
    byte[] end = config.prefix().getBytes(StandardCharsets.UTF_8);
    end[end.length - 1]++;
    return ByteString.copyFrom(end);
  }

  /// A key that no object can have, because it names no bucket.
  ByteString markKey() {
    return key("catch-up");
  }

  /// The leader's revision: the member that serves a watch may be behind.
  long newestRevision() {
    RangeRequest request = RangeRequest.newBuilder().setKey(key("")).setCountOnly(true).build();
    return keys().range(request).getHeader().getRevision();
  }

  /// Whether a key below the prefix was written or deleted after one revision and up to another.
  boolean hasChanged(long after, long upTo) {
    RangeRequest.Builder written =
        ours(upTo).setMinModRevision(after + 1).setKeysOnly(true).setLimit(1);
    // A deletion leaves no key with a revision, so the counts are compared too. A key that came and
    // went in between changes nothing that a reader could miss.
    return keys().range(written.build()).getKvsCount() > 0 || count(after) != count(upTo);
  }

  private long count(long revision) {
    return keys().range(ours(revision).setCountOnly(true).build()).getCount();
  }

  private RangeRequest.Builder ours(long revision) {
    return RangeRequest.newBuilder().setKey(key("")).setRangeEnd(rangeEnd()).setRevision(revision);
  }

  KVGrpc.KVBlockingStub keys() {
    return KVGrpc.newBlockingStub(channel)
        .withDeadlineAfter(config.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
  }

  BlockingClientCall<WatchRequest, WatchResponse> watch() {
    return WatchGrpc.newBlockingV2Stub(channel).withMaxInboundMessageSize(WATCH_BYTES).watch();
  }

  /// Whether gRPC refused an answer for its length before reading it.
  static boolean isTooLong(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && String.valueOf(status.getDescription()).contains("exceeds maximum size");
  }

  /// Reconnects at once and ignores gRPC's back-off.
  void reconnect() {
    channel.resetConnectBackoff();
  }

  /// Translates a failure for the administrator who has to act on it.
  StoreUnavailableException failed(String what, Status status) {
    return failed(what, status, "this server reconnects by itself");
  }

  /// The same for a failure that ends the start.
  StoreUnavailableException notReached(Status status) {
    return failed(
        "etcd at %s cannot be reached".formatted(config.servers()),
        status,
        "then start this server again");
  }

  private StoreUnavailableException failed(String what, Status status, String afterwards) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(what, why(status), whatToDo(status, afterwards)),
        status.asRuntimeException());
  }

  private static String why(Status status) {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    return status.getCode()
        + (description == null ? "" : ": " + description)
        + (cause == null ? "" : " (" + cause.getMessage() + ")");
  }

  private String whatToDo(Status status, String afterwards) {
    return switch (status.getCode()) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          "Give this server a client certificate that may use the keys below " + config.prefix();
      default ->
          "See that etcd runs and has a leader (etcdctl endpoint status), and that %s is its address; %s"
              .formatted(config.servers(), afterwards);
    };
  }

  @Override
  public void close() {
    channel.shutdownNow();
    NameResolverRegistry.getDefaultRegistry().deregister(resolver);
  }
}
