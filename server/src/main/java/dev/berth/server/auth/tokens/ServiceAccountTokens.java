package dev.berth.server.auth.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authentication.ClientCertificates;
import dev.berth.server.auth.authentication.TokenSource;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pki.ServiceAccountKeys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Issues and authenticates service account tokens. A token is valid while its account and the
/// object that it is bound to exist.
///
/// The signature is verified once and the claims are cached; time, account and bound objects are
/// checked on every use, so a deletion takes effect at once. Safe for any number of threads.
public final class ServiceAccountTokens implements TokenSource {
  /// The default issuer.
  public static final String ISSUER = "https://kubernetes.default.svc";

  private static final String EXTRA = "authentication.kubernetes.io/";

  /// Upstream's tolerance for clock skew.
  private static final Duration LEEWAY = Duration.ofSeconds(60);

  /// Bounds the cache of verified tokens; a full cache is cleared.
  private static final int REMEMBERED = 4096;

  private final SignedJwt jwt;
  private final String issuer;
  private final ObjectReader objects;
  private final InstantSource clock;
  private final Supplier<UUID> ids;

  /// Verified claims by the digest of the token. Expiry and bound objects are checked on every use.
  private final Map<String, ObjectNode> verified = new ConcurrentHashMap<>();

  public ServiceAccountTokens(
      ServiceAccountKeys keys,
      String issuer,
      ObjectReader objects,
      InstantSource clock,
      Supplier<UUID> ids) {
    jwt = new SignedJwt(keys);
    this.issuer = issuer;
    this.objects = objects;
    this.clock = clock;
    this.ids = ids;
  }

  /// The content of a new token.
  ///
  /// @param bound names and uids of the objects whose deletion invalidates the token, by claim:
  ///   `pod`, `node`, `secret`
  record Request(
      JsonNode account, List<String> audiences, Duration lifetime, Map<String, JsonNode> bound) {}

  String issue(Request request, Instant now) {
    ObjectNode claims = JsonTrees.object();
    ArrayNode audiences = claims.putArray("aud");
    request.audiences().forEach(audiences::add);
    claims.put("exp", now.plus(request.lifetime()).getEpochSecond());
    claims.put("iat", now.getEpochSecond());
    claims.put("iss", issuer);
    claims.put("jti", ids.get().toString());
    String namespace = request.account().at("/metadata/namespace").asText();
    ObjectNode ours = claims.putObject("kubernetes.io").put("namespace", namespace);
    request.bound().forEach((claim, object) -> ours.set(claim, reference(object)));
    ours.set("serviceaccount", reference(request.account()));
    claims.put("nbf", now.getEpochSecond());
    String name = request.account().at("/metadata/name").asText();
    claims.put("sub", UserInfo.SERVICE_ACCOUNT_PREFIX + namespace + ":" + name);
    return jwt.sign(claims);
  }

  private static ObjectNode reference(JsonNode object) {
    return JsonTrees.object()
        .put("name", object.at("/metadata/name").asText())
        .put("uid", object.at("/metadata/uid").asText());
  }

  @Override
  public @Nullable Found find(String token, List<String> wanted) {
    ObjectNode claims = claims(token);
    if (claims == null || !claims.path("iss").asText().equals(issuer) || !isTime(claims)) {
      return null;
    }
    List<String> audiences = new ArrayList<>(wanted);
    // A token for another audience is not valid here, even if this server issued it.
    audiences.retainAll(strings(claims.path("aud")));
    JsonNode ours = claims.path("kubernetes.io");
    String namespace = ours.path("namespace").asText();
    String name = ours.at("/serviceaccount/name").asText();
    if (audiences.isEmpty()
        || namespace.isEmpty()
        || name.isEmpty()
        || !claims.path("sub").asText().equals("system:serviceaccount:" + namespace + ":" + name)
        || !lives("serviceaccounts", namespace, ours.path("serviceaccount"))
        || !bindingLives("pods", namespace, ours.path("pod"))
        || !bindingLives("secrets", namespace, ours.path("secret"))
        || !nodeLives(ours)) {
      return null;
    }
    return new Found(user(claims, ours, namespace, name), audiences);
  }

  /// The key of the cache is a digest, so that the memory of the process does not hold tokens.
  private @Nullable ObjectNode claims(String token) {
    String key = HexFormat.of().formatHex(SecretDigests.sha256(token));
    ObjectNode claims = verified.get(key);
    if (claims == null) {
      claims = jwt.verify(token);
      if (claims != null) {
        if (verified.size() >= REMEMBERED) {
          verified.clear();
        }
        verified.put(key, claims);
      }
    }
    return claims;
  }

  private boolean isTime(ObjectNode claims) {
    Instant now = clock.instant();
    JsonNode end = claims.path("exp");
    JsonNode start = claims.path("nbf");
    return end.canConvertToLong()
        && start.canConvertToLong()
        && now.getEpochSecond() < end.asLong() + LEEWAY.toSeconds()
        && now.getEpochSecond() >= start.asLong() - LEEWAY.toSeconds();
  }

  private boolean bindingLives(String bucket, String namespace, JsonNode reference) {
    return reference.isMissingNode() || lives(bucket, namespace, reference);
  }

  /// A pod's token contains the node for information only; a token bound to a node alone is invalid
  /// without the node.
  private boolean nodeLives(JsonNode ours) {
    return ours.has("pod") || bindingLives("nodes", "", ours.path("node"));
  }

  private boolean lives(String bucket, String namespace, JsonNode reference) {
    ObjectNode object = objects.read(bucket, namespace, reference.path("name").asText());
    return object != null
        && object.at("/metadata/uid").asText().equals(reference.path("uid").asText())
        && !isLongDeleted(object.at("/metadata/deletionTimestamp").asText(""));
  }

  /// A pod may use its token during its grace period, which ends at the deletion timestamp; the
  /// leeway covers skewed clocks.
  private boolean isLongDeleted(String deletion) {
    try {
      return !deletion.isEmpty() && Instant.parse(deletion).isBefore(clock.instant().minus(LEEWAY));
    } catch (DateTimeException _) {
      return true;
    }
  }

  private static UserInfo user(ObjectNode claims, JsonNode ours, String namespace, String name) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    String id = claims.path("jti").asText();
    if (!id.isEmpty()) {
      extra.put(ClientCertificates.CREDENTIAL_ID, List.of("JTI=" + id));
    }
    for (String kind : List.of("node", "pod")) {
      JsonNode reference = ours.path(kind);
      if (reference.isObject()) {
        extra.put(EXTRA + kind + "-name", List.of(reference.path("name").asText()));
        extra.put(EXTRA + kind + "-uid", List.of(reference.path("uid").asText()));
      }
    }
    return new UserInfo(
        UserInfo.SERVICE_ACCOUNT_PREFIX + namespace + ":" + name,
        ours.at("/serviceaccount/uid").asText(),
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
        extra);
  }

  private static List<String> strings(JsonNode value) {
    List<String> strings = new ArrayList<>();
    if (value.isTextual()) {
      strings.add(value.textValue());
    } else {
      value.forEach(element -> strings.add(element.asText()));
    }
    return strings;
  }
}
