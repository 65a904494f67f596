package dev.berth.server.auth.tokens;

import static dev.berth.server.auth.RbacObjects.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authentication.TokenSource;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pki.MovableClock;
import dev.berth.server.pki.ServiceAccountKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAccountTokensTest {
  private static final UUID ID = UUID.fromString("a66f7650-8862-465a-92fd-b11190bbe185");
  private static final UserInfo ADMIN = UserInfo.of("admin");
  private static final List<String> AUDIENCES = List.of(ServiceAccountTokens.ISSUER);

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-15T18:47:16Z"));
  private final FakeObjects objects = new FakeObjects();
  private final ServiceAccountKeys keys = ServiceAccountKeys.generate();
  private final ServiceAccountTokens tokens = tokens(keys);
  private final TokenRequests requests = new TokenRequests(tokens, objects, AUDIENCES, clock);

  ServiceAccountTokensTest() {
    objects.put(
        "serviceaccounts", "{'metadata':{'name':'default','namespace':'t1','uid':'sa-uid'}}");
    objects.put(
        "pods",
        "{'metadata':{'name':'p','namespace':'t1','uid':'pod-uid'},"
            + "'spec':{'serviceAccountName':'default','nodeName':'n1'}}");
    objects.put("nodes", "{'metadata':{'name':'n1','uid':'node-uid'}}");
  }

  @Test
  void answerIsTheCapturedOne() {
    ObjectNode answer =
        requests.create(ADMIN, "t1", "default", json("{'spec':{'expirationSeconds':600}}"));
    ((ObjectNode) answer.path("status")).put("token", "(removed)");

    assertThat(answer.toString())
        .isEqualTo(
            "{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v1\",\"metadata\":"
                + "{\"name\":\"default\",\"namespace\":\"t1\",\"creationTimestamp\":"
                + "\"2026-11-15T18:47:16Z\"},\"spec\":{\"audiences\":"
                + "[\"https://kubernetes.default.svc\"],\"expirationSeconds\":600,"
                + "\"boundObjectRef\":null},\"status\":{\"token\":\"(removed)\","
                + "\"expirationTimestamp\":\"2026-11-15T18:57:16Z\"}}");
  }

  @Test
  void tokenNamesTheAccountItsGroupsAndItsId() {
    TokenSource.Found found = find(token("{'spec':{}}"));

    assertThat(found)
        .isEqualTo(
            new TokenSource.Found(
                new UserInfo(
                    "system:serviceaccount:t1:default",
                    "sa-uid",
                    List.of("system:serviceaccounts", "system:serviceaccounts:t1"),
                    Map.of("authentication.kubernetes.io/credential-id", List.of("JTI=" + ID))),
                AUDIENCES));
  }

  @Test
  void tokenOfAPodTellsPodAndNodeAndDiesWithThePod() {
    String token = token("{'spec':{'boundObjectRef':" + reference("v1", "Pod", "p") + "}}");

    TokenSource.Found found = Objects.requireNonNull(find(token));
    assertThat(found.user().extra())
        .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
        .containsEntry("authentication.kubernetes.io/pod-uid", List.of("pod-uid"))
        .containsEntry("authentication.kubernetes.io/node-name", List.of("n1"))
        .containsEntry("authentication.kubernetes.io/node-uid", List.of("node-uid"));
    objects.remove("nodes", "", "n1");
    assertThat(find(token)).isNotNull();
    objects.put("pods", "{'metadata':{'name':'p','namespace':'t1','uid':'another'}}");
    assertThat(find(token)).isNull();
    objects.remove("pods", "t1", "p");
    assertThat(find(token)).isNull();
  }

  @Test
  void tokenDiesWithItsAccountAndDoesNotServeANewOneOfTheSameName() {
    String token = token("{'spec':{}}");
    objects.put(
        "serviceaccounts",
        "{'metadata':{'name':'default','namespace':'t1','uid':'sa-uid',"
            + "'deletionTimestamp':'2026-11-15T18:47:16Z'}}");
    assertThat(find(token)).isNotNull();
    clock.advance(Duration.ofSeconds(61));
    assertThat(find(token)).isNull();
    objects.put(
        "serviceaccounts", "{'metadata':{'name':'default','namespace':'t1','uid':'other'}}");
    assertThat(find(token)).isNull();
  }

  @Test
  void tokenIsGoodOnlyInItsTimeAndForItsAudience() {
    String token = token("{'spec':{'expirationSeconds':600,'audiences':['a','b']}}");

    assertThat(tokens.find(token, List.of("b", "c")))
        .extracting(TokenSource.Found::audiences)
        .isEqualTo(List.of("b"));
    assertThat(find(token)).isNull();
    clock.advance(Duration.ofSeconds(-61));
    assertThat(tokens.find(token, List.of("a"))).isNull();
    clock.advance(Duration.ofSeconds(61));
    clock.advance(Duration.ofSeconds(659));
    assertThat(tokens.find(token, List.of("a"))).isNotNull();
    clock.advance(Duration.ofSeconds(1));
    assertThat(tokens.find(token, List.of("a"))).isNull();
  }

  @Test
  void tokenOfAnotherKeyOrIssuerIsRefused() {
    String token = token("{'spec':{}}");
    assertThat(tokens(ServiceAccountKeys.generate()).find(token, AUDIENCES)).isNull();
    ServiceAccountTokens other =
        new ServiceAccountTokens(keys, "https://other", objects, clock, () -> ID);
    assertThat(other.find(token, AUDIENCES)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'alg':'none','kid':'KID'}",
        "{'alg':'HS256','kid':'KID'}",
        "{'alg':'RS256','kid':'KID'}",
        "{'alg':'ES256','kid':'other'}",
        "{'alg':'ES256'}",
        "{'alg':'ES256','kid':'KID','crit':['x']}",
        "{'alg':'ES256','kid':'KID','x':1}",
      })
  void anotherHeaderNeverPasses(String header) {
    String[] parts = token("{'spec':{}}").split("\\.", -1);
    String forged = encoded(header.replace("KID", keys.keyId()));

    assertThat(find(forged + "." + parts[1] + "." + parts[2])).isNull();
    assertThat(find(forged + "." + parts[1] + ".")).isNull();
    assertThat(find(forged + "." + parts[1])).isNull();
  }

  @Test
  void anyChangedCharacterMakesTheTokenWorthless() {
    String token = token("{'spec':{}}");
    for (int i = 0; i < token.length() - 1; i += 7) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      assertThat(find(token.substring(0, i) + other + token.substring(i + 1))).isNull();
    }
    assertThat(find(token + ".")).isNull();
    assertThat(find("." + token)).isNull();
    assertThat(find(token + "=")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "599|TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid"
            + " value: 599: may not specify a duration less than 10 minutes",
        "4294967297|TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds:"
            + " Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds",
      })
  void lifetimeHasLimits(long seconds, String message) {
    assertThatThrownBy(() -> token("{'spec':{'expirationSeconds':" + seconds + "}}"))
        .hasMessage(message);
  }

  @Test
  void bindingMustFit() {
    assertThatThrownBy(() -> requests.create(ADMIN, "t1", "nope", json("{}")))
        .hasMessage("serviceaccounts \"nope\" not found");
    assertThatThrownBy(() -> bound(reference("v1", "Pod", "q"))).hasMessage("pods \"q\" not found");
    assertThatThrownBy(() -> bound(reference("apps/v1", "Deployment", "q")))
        .hasMessage("cannot bind token to object of type apps/v1, Kind=Deployment");
    assertThatThrownBy(() -> bound("{'apiVersion':'v1','kind':'Pod','name':'p','uid':'other'}"))
        .hasMessage(
            "Operation cannot be fulfilled on Pod \"p\": the UID in the bound object reference"
                + " (other) does not match the UID in record (pod-uid). The object might have been"
                + " deleted and then recreated");
    objects.put("serviceaccounts", "{'metadata':{'name':'x','namespace':'t1','uid':'x'}}");
    assertThatThrownBy(
            () ->
                requests.create(
                    ADMIN,
                    "t1",
                    "x",
                    json("{'spec':{'boundObjectRef':" + reference("v1", "Pod", "p") + "}}")))
        .hasMessage(
            "cannot bind token for serviceaccount \"x\" to pod running with serviceaccount"
                + " \"default\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{'apiVersion':'v1','kind':'Pod','name':'p','uid':'pod-uid'}|-",
        "{'apiVersion':'v1','kind':'Pod','name':'p'}|node requested token with a pod binding without a uid",
        "{'apiVersion':'v1','kind':'Secret','name':'s','uid':'m'}|node requested token not bound to a pod",
        "null|node requested token not bound to a pod",
        "{'apiVersion':'v1','kind':'Pod','name':'q','uid':'q'}|node requested token bound to a pod scheduled on a different node",
        "{'apiVersion':'v1','kind':'Pod','name':'p','uid':'x'}|the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated",
      })
  void nodeGetsTokensOnlyForItsPods(String reference, @Nullable String refusal) {
    objects.put(
        "pods",
        "{'metadata':{'name':'q','namespace':'t1','uid':'q'},"
            + "'spec':{'serviceAccountName':'default','nodeName':'n2'}}");
    UserInfo node = UserInfo.of("system:node:n1", "system:nodes");
    ObjectNode request = json("{'spec':{'boundObjectRef':" + reference + "}}");

    if (refusal == null) {
      assertThat(requests.create(node, "t1", "default", request).at("/status/token").asText())
          .isNotEmpty();
    } else {
      assertThatThrownBy(() -> requests.create(node, "t1", "default", request))
          .hasMessage("serviceaccounts \"default\" is forbidden: " + refusal);
    }
  }

  @Test
  void publishedKeyVerifiesTheToken() {
    ObjectNode set = OpenIdDocuments.keySet(keys);
    assertThat(set.at("/keys/0/kid").asText()).isEqualTo(keys.keyId());
    assertThat(Base64.getUrlDecoder().decode(set.at("/keys/0/x").asText())).hasSize(32);
    assertThat(Base64.getUrlDecoder().decode(set.at("/keys/0/y").asText())).hasSize(32);
    assertThat(
            OpenIdDocuments.configuration("https://i", "https://h/openid/v1/jwks", keys).toString())
        .isEqualTo(
            "{\"issuer\":\"https://i\",\"jwks_uri\":\"https://h/openid/v1/jwks\","
                + "\"response_types_supported\":[\"id_token\"],"
                + "\"subject_types_supported\":[\"public\"],"
                + "\"id_token_signing_alg_values_supported\":[\"ES256\"]}");
  }

  @Test
  void claimsAreUpstreams() {
    String[] parts = token("{'spec':{}}").split("\\.", -1);
    byte[] claims = Base64.getUrlDecoder().decode(parts[1]);

    assertThat(JsonTrees.parseTrusted(claims))
        .isEqualTo(
            json(
                "{'aud':['https://kubernetes.default.svc'],'exp':1794772036,'iat':1794768436,"
                    + "'iss':'https://kubernetes.default.svc','jti':'"
                    + ID
                    + "','kubernetes.io':{'namespace':'t1','serviceaccount':"
                    + "{'name':'default','uid':'sa-uid'}},'nbf':1794768436,"
                    + "'sub':'system:serviceaccount:t1:default'}"));
  }

  private ServiceAccountTokens tokens(ServiceAccountKeys signing) {
    return new ServiceAccountTokens(signing, ServiceAccountTokens.ISSUER, objects, clock, () -> ID);
  }

  private TokenSource.@Nullable Found find(String token) {
    return tokens.find(token, AUDIENCES);
  }

  private String token(String request) {
    return requests.create(ADMIN, "t1", "default", json(request)).at("/status/token").asText();
  }

  private void bound(String reference) {
    token("{'spec':{'boundObjectRef':" + reference + "}}");
  }

  private static String reference(String apiVersion, String kind, String name) {
    return "{'apiVersion':'%s','kind':'%s','name':'%s'}".formatted(apiVersion, kind, name);
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
