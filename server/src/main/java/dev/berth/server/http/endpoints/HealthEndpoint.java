package dev.berth.server.http.endpoints;

import dev.berth.api.GoQuotedString;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.http.transport.ServerExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Serves `/healthz`, `/livez` and `/readyz`: named checks, one line per check in the verbose form.
///
/// Liveness has no check of the store: restarting a server does not repair a full disk. Readiness
/// fails as soon as the server stops, so that load balancers send no new requests.
public final class HealthEndpoint {
  private static final String TEXT = "text/plain; charset=utf-8";

  /// Returns "" for a healthy server, else the reason.
  private final Map<String, Supplier<Optional<String>>> live = new LinkedHashMap<>();

  private final Map<String, Supplier<Optional<String>>> ready = new LinkedHashMap<>();

  /// Checks the store and the shutdown.
  ///
  /// @param store whether the store accepts writes
  /// @param shutdown whether the server still accepts requests
  public HealthEndpoint(Supplier<Optional<String>> store, Supplier<Optional<String>> shutdown) {
    live.put("ping", Optional::empty);
    ready.put("ping", Optional::empty);
    ready.put("store", store);
    ready.put("shutdown", shutdown);
  }

  /// Anonymous clients may ask for health, but reasons name files and addresses, so only
  /// authenticated clients see reasons.
  static String reason(UserInfo user, String why) {
    return user.equals(UserInfo.ANONYMOUS) ? "reason withheld" : why;
  }

  void serve(ServerExchange exchange, List<String> parts, UserInfo user) throws IOException {
    String kind = parts.getFirst();
    Map<String, Supplier<Optional<String>>> checks = kind.equals("livez") ? live : ready;
    if (parts.size() > 1) {
      one(exchange, checks, parts.get(1), user);
      return;
    }
    StringBuilder lines = new StringBuilder();
    Set<String> unknown = new LinkedHashSet<>(exchange.query().all("exclude"));
    boolean failed = false;
    for (Map.Entry<String, Supplier<Optional<String>>> check : checks.entrySet()) {
      if (unknown.remove(check.getKey())) {
        lines.append("[+]").append(check.getKey()).append(" excluded: ok\n");
        continue;
      }
      Optional<String> problem = check.getValue().get();
      failed |= problem.isPresent();
      lines.append(problem.isPresent() ? "[-]" : "[+]").append(check.getKey());
      lines.append(problem.map(why -> " failed: " + reason(user, why)).orElse(" ok")).append('\n');
    }
    if (!unknown.isEmpty()) {
      lines.append("warn: some health checks cannot be excluded: no matches for ");
      lines.append(unknown.stream().map(GoQuotedString::quote).collect(Collectors.joining(",")));
      lines.append('\n');
    }
    if (failed) {
      answer(exchange, 500, lines + kind + " check failed\n");
    } else if (exchange.query().has("verbose")) {
      answer(exchange, 200, lines + kind + " check passed\n");
    } else {
      answer(exchange, 200, "ok");
    }
  }

  private static void one(
      ServerExchange exchange,
      Map<String, Supplier<Optional<String>>> checks,
      String name,
      UserInfo user)
      throws IOException {
    Supplier<Optional<String>> check = checks.get(name);
    if (check == null) {
      NonResourcePaths.notFound(exchange);
      return;
    }
    Optional<String> problem = check.get();
    answer(
        exchange,
        problem.isPresent() ? 500 : 200,
        problem.map(why -> "internal server error: " + reason(user, why) + "\n").orElse("ok"));
  }

  private static void answer(ServerExchange exchange, int code, String text) throws IOException {
    exchange.response().getHeaders().put("X-Content-Type-Options", "nosniff");
    exchange.send(code, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }
}
