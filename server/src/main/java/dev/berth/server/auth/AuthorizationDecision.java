package dev.berth.server.auth;

/// The result of authorization with its reason, which may be empty.
public record AuthorizationDecision(boolean allowed, String reason) {
  public static final AuthorizationDecision ALLOWED = new AuthorizationDecision(true, "");
  public static final AuthorizationDecision NO_OPINION = new AuthorizationDecision(false, "");

  public static AuthorizationDecision refused(String reason) {
    return new AuthorizationDecision(false, reason);
  }
}
