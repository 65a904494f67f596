package dev.berth.store.etcd;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Gives gRPC a fixed list of members as one target, each with its own name for TLS.
///
/// gRPC's own resolver takes one name, and checks every member's certificate against it. Members
/// whose names cannot be resolved are left out while others can.
final class EndpointsResolver extends NameResolver {
  private final List<URI> endpoints;
  private final Executor executor;
  private @Nullable Listener2 listener;

  private EndpointsResolver(List<URI> endpoints, Executor executor) {
    this.endpoints = endpoints;
    this.executor = executor;
  }

  /// Resolves `berth-etcd:///host:port,host:port`.
  static final class Provider extends NameResolverProvider {
    static final String SCHEME = "berth-etcd";

    static String target(List<URI> endpoints) {
      String members = String.join(",", endpoints.stream().map(URI::getRawAuthority).toList());
      // As a path, in which the brackets of IPv6 have to be quoted.
      return SCHEME + ":///" + members.replace("%", "%25").replace("[", "%5B").replace("]", "%5D");
    }

    static List<URI> endpoints(URI target) {
      return Arrays.stream(target.getPath().substring(1).split(",", -1))
          .map(authority -> URI.create("etcd://" + authority))
          .toList();
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args args) {
      List<URI> endpoints = endpoints(target);
      Executor offload = args.getOffloadExecutor();
      return new EndpointsResolver(
          endpoints, offload == null ? task -> Thread.ofVirtual().start(task) : offload);
    }

    @Override
    public String getDefaultScheme() {
      return SCHEME;
    }

    @Override
    protected boolean isAvailable() {
      return true;
    }

    @Override
    protected int priority() {
      return 5;
    }
  }

  @Override
  public String getServiceAuthority() {
    return endpoints.getFirst().getAuthority();
  }

  @Override
  public void start(Listener2 listener) {
    this.listener = listener;
    refresh();
  }

  @Override
  public void refresh() {
    executor.execute(this::resolve);
  }

  private void resolve() {
    Listener2 waiting = listener;
    if (waiting != null) {
      waiting.onResult(ResolutionResult.newBuilder().setAddressesOrError(addresses()).build());
    }
  }

  private StatusOr<List<EquivalentAddressGroup>> addresses() {
    List<EquivalentAddressGroup> groups = new ArrayList<>();
    String unknown = "";
    for (URI endpoint : endpoints) {
      try {
        List<SocketAddress> addresses = new ArrayList<>();
        for (InetAddress address : InetAddress.getAllByName(endpoint.getHost())) {
          addresses.add(new InetSocketAddress(address, endpoint.getPort()));
        }
        groups.add(
            new EquivalentAddressGroup(
                addresses,
                Attributes.newBuilder()
                    .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, endpoint.getAuthority())
                    .build()));
      } catch (UnknownHostException e) {
        unknown = "unknown host " + endpoint.getHost();
      }
    }
    return groups.isEmpty()
        ? StatusOr.fromStatus(Status.UNAVAILABLE.withDescription(unknown))
        : StatusOr.fromValue(groups);
  }

  @Override
  public void shutdown() {}
}
