package dev.berth.server.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;

/// What is recorded of one request while it is handled; used by one thread at a time.
public sealed interface RequestAudit permits RequestAudit.Nothing, EventAudit {
  RequestAudit NONE = new Nothing();

  /// Nothing is recorded, and nothing is done for it.
  final class Nothing implements RequestAudit {
    private Nothing() {}
  }

  /// It was received and passed authentication.
  default void received() {}

  /// The requester acts as somebody else.
  default void impersonated(UserInfo user) {}

  default void annotate(String key, String value) {}

  /// What the request carries, which may be changed afterwards: it is copied when it is recorded.
  default void requestObject(JsonNode object) {}

  /// Whether [#responseObject] is of use.
  default boolean wantsResponse() {
    return false;
  }

  /// What is answered, as JSON however it is sent.
  default void responseObject(JsonNode object) {}

  /// It is answered with a Status.
  default void status(ObjectNode status) {}

  /// The head of the answer is sent.
  default void started(int code) {}

  /// The server failed on it.
  default void failed(Throwable why) {}

  /// The answer was sent, or the client has gone.
  default void complete() {}
}
