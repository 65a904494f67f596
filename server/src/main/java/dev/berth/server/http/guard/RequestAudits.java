package dev.berth.server.http.guard;

import dev.berth.server.audit.AuditRecorder;
import dev.berth.server.audit.AuditRequest;
import dev.berth.server.audit.RequestAudit;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.http.transport.ServerExchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Starts the audit record of each request, if there is an audit log.
///
/// The class translates between HTTP and the audit package, which knows nothing about Jetty. All
/// methods are safe for any number of threads.
public final class RequestAudits implements AutoCloseable {
  private final @Nullable AuditRecorder recorder;

  /// Records with the given recorder.
  ///
  /// @param recorder null when auditing is disabled
  public RequestAudits(@Nullable AuditRecorder recorder) {
    this.recorder = recorder;
  }

  /// Starts the record of an authenticated request.
  RequestAudit received(ServerExchange exchange, RequestInfo info, UserInfo user) {
    return recorder == null
        ? RequestAudit.NONE
        : recorder.received(request(exchange, info), user, exchange.warnings()::auditAnnotations);
  }

  /// Starts the record of a request that failed authentication.
  RequestAudit unauthenticated(ServerExchange exchange, RequestInfo info) {
    return recorder == null ? RequestAudit.NONE : recorder.unauthenticated(request(exchange, info));
  }

  private static AuditRequest request(ServerExchange exchange, RequestInfo info) {
    AuditRequest.Resource resource =
        info.isResource()
            ? new AuditRequest.Resource(
                info.group(),
                info.version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name())
            : AuditRequest.Resource.NONE;
    String uri = exchange.request().getHttpURI().getPathQuery();
    return new AuditRequest(
        exchange.auditId(),
        uri == null ? "" : uri,
        info.verb(),
        info.path(),
        resource,
        sources(exchange),
        exchange.header("User-Agent"),
        info.isLongRunning());
  }

  /// The addresses of `X-Forwarded-For` and `X-Real-Ip`, which a client can forge, followed by the
  /// address of the connection.
  private static List<String> sources(ServerExchange exchange) {
    List<String> addresses = new ArrayList<>();
    for (String hop : exchange.header("X-Forwarded-For").split(",", -1)) {
      add(addresses, hop.strip());
    }
    String real = exchange.header("X-Real-Ip").strip();
    if (!addresses.contains(real)) {
      add(addresses, real);
    }
    if (exchange.request().getConnectionMetaData().getRemoteSocketAddress()
        instanceof InetSocketAddress remote) {
      String address = remote.getAddress().getHostAddress();
      // The connection's own address comes last and only once, as upstream has it; it is the only
      // one that the client cannot choose.
      if (addresses.isEmpty() || !addresses.getLast().equals(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static void add(List<String> addresses, String text) {
    if (!text.isEmpty()) {
      try {
        addresses.add(InetAddress.ofLiteral(text).getHostAddress());
      } catch (IllegalArgumentException _) {
        // Not an address; upstream skips it, too.
      }
    }
  }

  @Override
  public void close() {
    if (recorder != null) {
      recorder.close();
    }
  }
}
