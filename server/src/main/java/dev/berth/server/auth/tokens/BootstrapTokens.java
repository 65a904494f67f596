package dev.berth.server.auth.tokens;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authentication.TokenSource;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Authenticates bootstrap tokens `id.secret` of new nodes, kept in Secrets
/// `kube-system/bootstrap-token-<id>`.
///
/// A Secret is read on each use, so a token ends with its Secret. All conditions lead to the same
/// answer, null, so that a client learns nothing about which of them failed.
public final class BootstrapTokens implements TokenSource {
  private static final Pattern FORM = Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})");
  private static final Pattern GROUP =
      Pattern.compile("system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]");

  private final ObjectReader objects;
  private final InstantSource clock;

  public BootstrapTokens(ObjectReader objects, InstantSource clock) {
    this.objects = objects;
    this.clock = clock;
  }

  @Override
  public @Nullable Found find(String token, List<String> audiences) {
    Matcher matcher = FORM.matcher(token);
    if (!matcher.matches()) {
      return null;
    }
    String id = matcher.group(1);
    ObjectNode secret = objects.read("secrets", "kube-system", "bootstrap-token-" + id);
    if (secret == null
        || !secret.path("type").asText().equals("bootstrap.kubernetes.io/token")
        || secret.at("/metadata").has("deletionTimestamp")
        || !data(secret, "token-id").equals(id)
        || !SecretDigests.same(data(secret, "token-secret"), matcher.group(2))
        || isExpired(data(secret, "expiration"))
        || !data(secret, "usage-bootstrap-authentication").equals("true")) {
      return null;
    }
    List<String> groups = groups(data(secret, "auth-extra-groups"));
    return groups == null
        ? null
        : new Found(new UserInfo("system:bootstrap:" + id, "", groups, Map.of()), audiences);
  }

  /// A Secret could otherwise give any group, `system:masters` too; an invalid group makes the
  /// whole token invalid.
  private static @Nullable List<String> groups(String extra) {
    List<String> groups = new ArrayList<>(List.of("system:bootstrappers"));
    for (String group : extra.isEmpty() ? new String[0] : extra.split(",", -1)) {
      if (!GROUP.matcher(group).matches()) {
        return null;
      }
      groups.add(group);
    }
    return groups;
  }

  /// An unreadable time counts as expired.
  private boolean isExpired(String expiration) {
    try {
      return !expiration.isEmpty() && !clock.instant().isBefore(Instant.parse(expiration));
    } catch (DateTimeException _) {
      return true;
    }
  }

  private static String data(ObjectNode secret, String key) {
    try {
      byte[] value = Base64.getDecoder().decode(secret.path("data").path(key).asText(""));
      return new String(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }
}
