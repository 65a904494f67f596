package dev.berth.server.auth;

import static dev.berth.server.auth.RbacObjects.binding;
import static dev.berth.server.auth.RbacObjects.json;
import static dev.berth.server.auth.RbacObjects.paths;
import static dev.berth.server.auth.RbacObjects.role;
import static dev.berth.server.auth.RbacObjects.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.auth.authentication.Authenticator;
import dev.berth.server.auth.authentication.ClientCertificates;
import dev.berth.server.auth.authentication.IdentityReviews;
import dev.berth.server.auth.authentication.TokenSource;
import dev.berth.server.auth.authorization.AccessReviews;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.NodeGraph;
import dev.berth.server.auth.rbac.RbacPolicy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReviewAnswersTest {
  private static final UserInfo ADMIN =
      new UserInfo("admin", "u1", List.of("system:masters", "system:authenticated"), Map.of());

  private final RbacPolicy rbac = new RbacPolicy();
  private final AccessReviews reviews =
      new AccessReviews(new Authorizer(rbac, new NodeAuthorizer(new NodeGraph(), List.of())), rbac);

  ReviewAnswersTest() {
    rbac.put(role("t1", "r1", rule("get", "", "pods")));
    rbac.put(binding("t1", "rb1", "Role/r1", "User/bob", "ServiceAccount//default"));
  }

  @Test
  void subjectAccessReviewAnswersAsCaptured() {
    assertThat(
            reviews.subject(
                json(
                    "{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview',"
                        + "'spec':{'resourceAttributes':{'namespace':'t1','verb':'get',"
                        + "'resource':'pods'},'user':'bob'}}")))
        .hasToString(
            "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                + "\"metadata\":{\"creationTimestamp\":null},\"spec\":{\"resourceAttributes\":"
                + "{\"namespace\":\"t1\",\"verb\":\"get\",\"resource\":\"pods\"},\"user\":\"bob\"},"
                + "\"status\":{\"allowed\":true,\"reason\":\"RBAC: allowed by RoleBinding"
                + " \\\"rb1/t1\\\" of Role \\\"r1\\\" to User \\\"bob\\\"\"}}");
  }

  @Test
  void selfSubjectAccessReviewOfAMasterHasNoReason() {
    assertThat(
            reviews
                .self(
                    ADMIN, json("{'spec':{'resourceAttributes':{'verb':'get','resource':'pods'}}}"))
                .path("status"))
        .isEqualTo(json("{'allowed':true}"));
  }

  @Test
  void refusedAccessIsAnAnswerToo() {
    assertThat(
            reviews
                .self(
                    UserInfo.of("bob"),
                    json("{'spec':{'nonResourceAttributes':{'verb':'get','path':'/metrics'}}}"))
                .path("status"))
        .isEqualTo(json("{'allowed':false}"));
  }

  @Test
  void everyMistakeOfASpecIsReported() {
    assertThatThrownBy(() -> reviews.subject(json("{'spec':{}}")))
        .hasMessage(
            "SubjectAccessReview.authorization.k8s.io \"\" is invalid: [spec.resourceAttributes:"
                + " Invalid value: null: exactly one of nonResourceAttributes or"
                + " resourceAttributes must be specified, spec.user: Invalid value: \"\": at least"
                + " one of user or group must be specified]");
    assertThatThrownBy(
            () ->
                reviews.local(
                    "t1",
                    json(
                        "{'spec':{'user':'bob','resourceAttributes':{'namespace':'t2',"
                            + "'verb':'get','resource':'pods'}}}")))
        .hasMessage(
            "LocalSubjectAccessReview.authorization.k8s.io \"\" is invalid:"
                + " spec.resourceAttributes.namespace: Invalid value: \"t2\": must match"
                + " metadata.namespace");
  }

  @Test
  void rulesReviewListsWhatTheUserMay() {
    rbac.put(role("", "paths", paths("get", "/healthz")));
    rbac.put(binding("", "b", "ClusterRole/paths", "User/bob"));

    assertThat(
            reviews
                .selfRules(UserInfo.of("bob"), json("{'spec':{'namespace':'t1'}}"))
                .path("status"))
        .isEqualTo(
            json(
                "{'resourceRules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods']}],"
                    + "'nonResourceRules':[{'verbs':['get'],'nonResourceURLs':['/healthz']}],"
                    + "'incomplete':false}"));
    assertThatThrownBy(() -> reviews.selfRules(ADMIN, json("{'spec':{}}")))
        .hasMessage("no namespace on request");
  }

  @Test
  void selfSubjectReviewAnswersAsCaptured() {
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-11-15T18:47:16.9Z"));
    assertThat(identities(List.of(), clock).self(ADMIN))
        .hasToString(
            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\","
                + "\"metadata\":{\"creationTimestamp\":\"2026-11-15T18:47:16Z\"},\"status\":"
                + "{\"userInfo\":{\"username\":\"admin\",\"uid\":\"u1\",\"groups\":"
                + "[\"system:masters\",\"system:authenticated\"]}}}");
  }

  @Test
  void tokenReviewAnswersAsCaptured() {
    UserInfo account =
        new UserInfo(
            "system:serviceaccount:t1:default",
            "uid",
            List.of("system:serviceaccounts", "system:serviceaccounts:t1"),
            Map.of("authentication.kubernetes.io/credential-id", List.of("JTI=x")));
    TokenSource source =
        (token, wanted) -> token.equals("good") ? new TokenSource.Found(account, wanted) : null;
    IdentityReviews identities = identities(List.of(source), InstantSource.fixed(Instant.EPOCH));

    assertThat(identities.token(json("{'spec':{'token':'good'}}")).path("status"))
        .hasToString(
            "{\"authenticated\":true,\"user\":{\"username\":\"system:serviceaccount:t1:default\","
                + "\"uid\":\"uid\",\"groups\":[\"system:serviceaccounts\","
                + "\"system:serviceaccounts:t1\",\"system:authenticated\"],\"extra\":"
                + "{\"authentication.kubernetes.io/credential-id\":[\"JTI=x\"]}},"
                + "\"audiences\":[\"api\"]}");
    assertThat(identities.token(json("{'spec':{'token':'nope'}}")))
        .hasToString(
            "{\"kind\":\"TokenReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"metadata\":"
                + "{\"creationTimestamp\":null},\"spec\":{\"token\":\"nope\"},\"status\":"
                + "{\"user\":{},\"error\":\"invalid bearer token\"}}");
  }

  private static IdentityReviews identities(List<TokenSource> sources, InstantSource clock) {
    return new IdentityReviews(
        new Authenticator(
            new ClientCertificates(List.of(TestCertificates.authority()), clock),
            sources,
            List.of("api")),
        clock);
  }
}
