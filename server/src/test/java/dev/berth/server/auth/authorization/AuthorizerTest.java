package dev.berth.server.auth.authorization;

import static dev.berth.server.auth.RbacObjects.binding;
import static dev.berth.server.auth.RbacObjects.path;
import static dev.berth.server.auth.RbacObjects.request;
import static dev.berth.server.auth.RbacObjects.role;
import static dev.berth.server.auth.RbacObjects.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.RbacObjects;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.NodeGraph;
import dev.berth.server.auth.rbac.BootstrapPolicy;
import dev.berth.server.auth.rbac.RbacPolicy;
import dev.berth.server.errors.ApiException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizerTest {
  private static final UserInfo BOB = UserInfo.of("bob", "system:authenticated");
  private final RbacPolicy rbac = new RbacPolicy();
  private final NodeGraph graph = new NodeGraph();
  private final BootstrapPolicy bootstrap = BootstrapPolicy.load();
  private final Authorizer authorizer = new Authorizer(rbac, new NodeAuthorizer(graph, bootstrap));

  AuthorizerTest() {
    bootstrap.objects().forEach(rbac::put);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "list|core/pods|t1||pods is forbidden: User \"bob\" cannot list resource \"pods\" in API"
            + " group \"\" in the namespace \"t1\"",
        "get|core/nodes||n1|nodes \"n1\" is forbidden: User \"bob\" cannot get resource \"nodes\""
            + " in API group \"\" at the cluster scope",
        "create|apps/deployments|t1||deployments.apps is forbidden: User \"bob\" cannot create"
            + " resource \"deployments\" in API group \"apps\" in the namespace \"t1\"",
        "get|core/pods/log|t1|p|pods \"p\" is forbidden: User \"bob\" cannot get resource"
            + " \"pods/log\" in API group \"\" in the namespace \"t1\"",
      })
  void refusalReadsAsUpstreams(
      String verb, String what, String namespace, String name, String message) {
    assertThat(refusal(request(BOB, verb, what, empty(namespace), empty(name))).getMessage())
        .isEqualTo(message);
  }

  @Test
  void refusalOfAPathNamesItAndNothingElse() {
    ApiException refusal = refusal(path(BOB, "get", "/metrics"));
    ObjectNode status = refusal.status().toJson();

    assertThat(status.path("message").asText())
        .isEqualTo("forbidden: User \"bob\" cannot get path \"/metrics\"");
    assertThat(status.path("details")).isEqualTo(RbacObjects.json("{}"));
    assertThat(status.path("code").asInt()).isEqualTo(403);
  }

  @Test
  void refusalCarriesTheReasonOfBrokenBindings() {
    rbac.put(binding("t1", "b", "Role/gone", "User/bob"));

    assertThat(refusal(request(BOB, "list", "core/pods", "t1", "")))
        .hasMessage(
            "pods is forbidden: User \"bob\" cannot list resource \"pods\" in API group \"\" in"
                + " the namespace \"t1\": RBAC: role.rbac.authorization.k8s.io \"gone\" not found");
  }

  @Test
  void mastersMayDoEverythingWithoutAnyRole() {
    Authorizer bare =
        new Authorizer(new RbacPolicy(), new NodeAuthorizer(new NodeGraph(), List.of()));
    UserInfo admin = UserInfo.of("admin", "system:masters");

    assertThat(bare.decide(request(admin, "delete", "any/things", "", "")))
        .isEqualTo(new AuthorizationDecision(true, ""));
    assertThat(bare.decide(path(admin, "get", "/metrics")).allowed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/version, true",
    "/healthz, true",
    "/livez, true",
    "/readyz, true",
    "/api, false",
    "/apis, false",
    "/openapi/v3, false",
    "/metrics, false",
  })
  void anonymousMayOnlyReadHealthAndVersion(String path, boolean allowed) {
    assertThat(authorizer.decide(path(UserInfo.ANONYMOUS, "get", path)).allowed())
        .isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "view, get, core/pods, true",
    "view, get, core/secrets, false",
    "view, create, core/pods, false",
    "edit, create, core/pods, true",
    "edit, get, core/secrets, true",
    "edit, get, core/pods/log, true",
    "view, get, extensions/deployments, true",
    "edit, create, extensions/deployments, true",
    "edit, patch, extensions/deployments/scale, true",
    "edit, create, rbac.authorization.k8s.io/roles, false",
    "admin, create, rbac.authorization.k8s.io/roles, true",
    "admin, get, core/pods/log, true",
    "admin, update, core/resourcequotas, false",
    "cluster-admin, anything, any/thing, true",
  })
  void defaultRolesAddUp(String role, String verb, String what, boolean allowed) {
    rbac.put(binding("t1", "b", "ClusterRole/" + role, "User/bob"));

    assertThat(authorizer.decide(request(BOB, verb, what, "t1", "x")).allowed()).isEqualTo(allowed);
  }

  @Test
  void nodesRoleDoesNotWidenWhatANodeMayDo() {
    UserInfo node = UserInfo.of("system:node:n1", "system:nodes", "system:authenticated");
    rbac.put(role("t1", "r", rule("get", "", "secrets")));

    assertThat(refusal(request(node, "get", "core/secrets", "t1", "s")))
        .hasMessage(
            "secrets \"s\" is forbidden: User \"system:node:n1\" cannot get resource \"secrets\""
                + " in API group \"\" in the namespace \"t1\": no relationship found between node"
                + " 'n1' and this object");
  }

  private ApiException refusal(AccessRequest request) {
    return catchThrowableOfType(ApiException.class, () -> authorizer.check(request));
  }

  private static String empty(String value) {
    return value == null ? "" : value;
  }
}
