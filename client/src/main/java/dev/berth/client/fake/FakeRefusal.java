package dev.berth.client.fake;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A request that the fake server answers with a `Status`.
///
/// The `Status` has only what client and loops read of it.
final class FakeRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final transient ObjectNode status;

  FakeRefusal(int code, String reason, String name, String message) {
    // Without a stack trace, because a refusal is an ordinary answer.
    super(message, null, false, false);
    this.code = code;
    this.status = FakeApi.MAPPER.createObjectNode();
    status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
    status.put("code", code).put("reason", reason).put("message", message);
    status.putObject("details");
    if (!name.isEmpty()) {
      ((ObjectNode) status.get("details")).put("name", name);
    }
  }

  static FakeRefusal notFound(String resource, String name) {
    return new FakeRefusal(404, "NotFound", name, resource + " \"" + name + "\" not found");
  }

  static FakeRefusal conflict(String resource, String name, String why) {
    return new FakeRefusal(
        409,
        "Conflict",
        name,
        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(resource, name, why));
  }

  FakeRefusal withCause(String reason) {
    ((ObjectNode) status.get("details")).putArray("causes").addObject().put("reason", reason);
    return this;
  }

  int code() {
    return code;
  }

  ObjectNode status() {
    return status;
  }
}
