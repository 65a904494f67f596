package dev.berth.agent.node.http;

import dev.berth.agent.runtimes.RuntimeEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// The WebSocket protocols that runtimes have turned down, so that they are not offered them again.
///
/// kubectl begins each exec and port-forward with one that runtimes do not speak (it is meant for
/// API servers that translate), and goes on with SPDY. An attempt costs a command that is never
/// run, and containerd 1.6 never lets go of what it keeps for it.
final class RefusedProtocols {
  /// What runtimes answer to protocols that they do not know.
  static final int REFUSED = 403;

  private static final Duration REMEMBERED = Duration.ofMinutes(30);
  private static final int MOST = 1024;

  private final Map<Offer, Instant> until = new ConcurrentHashMap<>();
  private final InstantSource clock;

  RefusedProtocols(InstantSource clock) {
    this.clock = clock;
  }

  /// What a client offers to a runtime service.
  ///
  /// @param version of the runtime: another one may know more
  /// @param purpose `exec`, `attach` or `portForward`
  /// @param protocols as the client named them; empty when it does not want a WebSocket
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

  /// Refuses what the runtime would.
  void require(Offer offer) {
    Instant end = until.get(offer);
    if (end != null && clock.instant().isBefore(end)) {
      throw failure(offer);
    }
  }

  /// Remembers what a runtime has answered.
  ///
  /// @throws HttpFailure when it does not know the protocols
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
