package dev.berth.agent.node.http;

import dev.berth.agent.runtimes.RuntimeEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// Remembers WebSocket protocols that runtimes refused, so that they are not offered again.
///
/// kubectl begins each exec and port-forward with a protocol for translating API servers, which
/// runtimes do not speak, and falls back to SPDY. Each attempt prepares a command that never runs,
/// and containerd 1.6 leaks what it keeps for it.
final class RefusedProtocols {
  /// The status with which runtimes refuse unknown protocols.
  static final int REFUSED = 403;

  /// A runtime gains a protocol only with an update, which is rare; until then each attempt would
  /// cost a round trip.
  private static final Duration REMEMBERED = Duration.ofMinutes(30);

  /// Bounds the memory that clients with ever new protocols can fill.
  private static final int MOST = 1024;

  private final Map<Offer, Instant> until = new ConcurrentHashMap<>();
  private final InstantSource clock;

  RefusedProtocols(InstantSource clock) {
    this.clock = clock;
  }

  /// A client's offer to a runtime service.
  ///
  /// @param version of the runtime: another version may speak more
  /// @param purpose `exec`, `attach` or `portForward`
  /// @param protocols in the client's order; empty without a WebSocket
  record Offer(String service, String version, String purpose, String protocols) {
    static Offer of(RuntimeEndpoint service, String purpose, HttpFields headers) {
      String version = service.discovered().map(known -> known.version().toString()).orElse("");
      return new Offer(service.name(), version, purpose, protocols(headers));
    }

    static String protocols(HttpFields headers) {
      return headers.contains(HttpHeader.UPGRADE, "websocket")
          ? String.join(", ", headers.getValuesList(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL))
          : "";
    }
  }

  /// Refuses an offer that the runtime is known to refuse.
  void require(Offer offer) {
    Instant end = until.get(offer);
    if (end != null && clock.instant().isBefore(end)) {
      throw failure(offer);
    }
  }

  /// Records a runtime's answer.
  ///
  /// @throws HttpFailure when it refused the protocols
  void learn(Offer offer, int status) {
    if (status != REFUSED || offer.protocols().isEmpty()) {
      return;
    }
    if (until.size() >= MOST) {
      until.clear();
    }
    until.put(offer, clock.instant().plus(REMEMBERED));
    throw failure(offer);
  }

  private static HttpFailure failure(Offer offer) {
    return new HttpFailure(
        REFUSED,
        "runtime service %s does not speak the WebSocket protocol %s: use SPDY, or a protocol that it knows"
            .formatted(offer.service(), offer.protocols()));
  }
}
