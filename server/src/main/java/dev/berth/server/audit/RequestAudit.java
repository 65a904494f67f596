package dev.berth.server.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;

/// Receives what happens to one request and records it; used by one thread at a time.
///
/// Callers report what happens without asking whether anybody records it; only for expensive
/// objects they ask `wantsResponse` first.
public sealed interface RequestAudit permits RequestAudit.Nothing, EventAudit {
  RequestAudit NONE = new Nothing();

  /// Records nothing.
  final class Nothing implements RequestAudit {
    private Nothing() {}
  }

  /// The request was received and authenticated.
  default void received() {}

  /// The user impersonates another user.
  default void impersonated(UserInfo user) {}

  default void annotate(String key, String value) {}

  /// Whether the policy records request objects.
  default boolean wantsRequest() {
    return false;
  }

  /// The request's object, decoded and with its default values. It is copied if it is recorded, so
  /// the caller may change it afterwards.
  default void requestObject(JsonNode object) {}

  /// The patch of the request as the client sent it, copied like an object.
  default void requestPatch(JsonNode patch) {}

  /// Whether the policy records response objects.
  default boolean wantsResponse() {
    return false;
  }

  /// The answer's object as JSON, independent of the negotiated format.
  default void responseObject(JsonNode object) {}

  /// The answer is a Status.
  default void status(ObjectNode status) {}

  /// The head of the answer was sent.
  default void started(int code) {}

  /// The request failed with an internal error.
  default void failed(Throwable why) {}

  /// The answer was sent, or the client disconnected.
  default void complete() {}
}
