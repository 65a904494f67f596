package dev.berth.server.auth.rbac;

import static dev.berth.server.auth.RbacObjects.binding;
import static dev.berth.server.auth.RbacObjects.json;
import static dev.berth.server.auth.RbacObjects.path;
import static dev.berth.server.auth.RbacObjects.paths;
import static dev.berth.server.auth.RbacObjects.request;
import static dev.berth.server.auth.RbacObjects.role;
import static dev.berth.server.auth.RbacObjects.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.UserInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RbacPolicyTest {
  private static final UserInfo BOB = UserInfo.of("bob", "devs", "system:authenticated");
  private final RbacPolicy policy = new RbacPolicy();

  @Test
  void reasonNamesBindingRoleAndSubject() {
    policy.put(role("t1", "r1", rule("get", "", "pods")));
    policy.put(binding("t1", "rb1", "Role/r1", "User/bob", "ServiceAccount//default"));

    assertThat(policy.decide(request(BOB, "get", "core/pods", "t1", "p")))
        .isEqualTo(
            new AuthorizationDecision(
                true, "RBAC: allowed by RoleBinding \"rb1/t1\" of Role \"r1\" to User \"bob\""));
    UserInfo account = UserInfo.of("system:serviceaccount:t1:default");
    assertThat(policy.decide(request(account, "get", "core/pods", "t1", "p")).reason())
        .isEqualTo(
            "RBAC: allowed by RoleBinding \"rb1/t1\" of Role \"r1\" to ServiceAccount"
                + " \"default/t1\"");
  }

  @Test
  void clusterBindingCountsEverywhereAndRoleBindingOnlyInItsNamespace() {
    policy.put(role("", "reader", rule("list", "", "pods")));
    policy.put(binding("", "all", "ClusterRole/reader", "Group/devs"));
    policy.put(binding("t1", "one", "ClusterRole/reader", "User/eve"));
    UserInfo eve = UserInfo.of("eve");

    assertThat(policy.decide(request(BOB, "list", "core/pods", "", "")).reason())
        .isEqualTo(
            "RBAC: allowed by ClusterRoleBinding \"all\" of ClusterRole \"reader\" to Group"
                + " \"devs\"");
    assertThat(policy.decide(request(BOB, "list", "core/pods", "any", "")).allowed()).isTrue();
    assertThat(policy.decide(request(eve, "list", "core/pods", "t1", "")).allowed()).isTrue();
    assertThat(policy.decide(request(eve, "list", "core/pods", "t2", "")).allowed()).isFalse();
    assertThat(policy.decide(request(eve, "list", "core/pods", "", "")).allowed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "get, core/pods, p, true",
    "delete, core/pods, p, false",
    "get, apps/pods, p, false",
    "get, core/pods/log, p, false",
    "get, core/configmaps, a, true",
    "get, core/configmaps, b, false",
    "list, core/configmaps, '', false",
    "update, apps/deployments/scale, d, true",
    "update, apps/replicasets/scale, d, true",
    "update, apps/deployments/status, d, false",
    "update, apps/deployments, d, false",
    "create, core/pods/exec, p, true",
    "create, core/pods/execute, p, false",
    "anything, wild.io/things/part, x, true",
  })
  void ruleMatchesVerbGroupResourceSubresourceAndName(
      String verb, String what, String name, boolean allowed) {
    policy.put(
        role(
            "t1",
            "mixed",
            rule("get list", "", "pods"),
            rule("get list", "", "configmaps", "a"),
            rule("update", "apps", "*/scale"),
            rule("create", "", "pods/exec"),
            rule("*", "wild.io", "*")));
    policy.put(binding("t1", "b", "Role/mixed", "User/bob"));

    assertThat(policy.decide(request(BOB, verb, what, "t1", name)).allowed()).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "get, /healthz, true",
    "get, /healthz/etcd, false",
    "get, /logs/, true",
    "get, /logs/a/b, true",
    "get, /logs, false",
    "post, /healthz, false",
    "get, /metrics, false",
  })
  void pathsMatchWholeOrByTheirBeginning(String verb, String path, boolean allowed) {
    policy.put(role("", "paths", paths("get", "/healthz /logs/*")));
    policy.put(binding("", "b", "ClusterRole/paths", "User/bob"));

    assertThat(policy.decide(path(BOB, verb, path)).allowed()).isEqualTo(allowed);
  }

  @Test
  void changesTakeEffectAtOnceAndInAnyOrder() {
    AccessRequest get = request(BOB, "get", "core/pods", "t1", "p");
    policy.put(binding("t1", "b", "Role/late", "User/bob"));
    assertThat(policy.decide(get))
        .isEqualTo(
            new AuthorizationDecision(
                false, "RBAC: role.rbac.authorization.k8s.io \"late\" not found"));

    policy.put(role("t1", "late", rule("get", "", "pods")));
    assertThat(policy.decide(get).allowed()).isTrue();
    policy.put(role("t1", "late", rule("list", "", "pods")));
    assertThat(policy.decide(get).allowed()).isFalse();
    policy.put(role("t1", "late", rule("get", "", "pods")));
    policy.put(binding("t1", "b", "Role/late", "User/eve"));
    assertThat(policy.decide(get)).isEqualTo(new AuthorizationDecision(false, ""));
    policy.put(binding("t1", "b", "Role/late", "User/bob"));
    assertThat(policy.decide(get).allowed()).isTrue();
    policy.remove("RoleBinding", "t1", "b");
    assertThat(policy.decide(get).allowed()).isFalse();
  }

  @Test
  void severalMissingRolesAreAllNamed() {
    policy.put(binding("", "a", "ClusterRole/x", "User/bob"));
    policy.put(binding("t1", "b", "Role/y", "Group/devs"));
    policy.put(role("t1", "y"));
    policy.remove("Role", "t1", "y");

    assertThat(policy.decide(request(BOB, "get", "core/pods", "t1", "p")).reason())
        .isEqualTo(
            "RBAC: [clusterrole.rbac.authorization.k8s.io \"x\" not found,"
                + " role.rbac.authorization.k8s.io \"y\" not found]");
  }

  @Test
  void aggregatedRoleTakesRulesOfAllItSelectsThroughSeveralSteps() {
    policy.put(
        json(
            "{'kind':'ClusterRole','metadata':{'name':'top'},'aggregationRule':"
                + "{'clusterRoleSelectors':[{'matchLabels':{'to':'top'}}]}}"));
    policy.put(
        json(
            "{'kind':'ClusterRole','metadata':{'name':'middle','labels':{'to':'top'}},"
                + "'aggregationRule':{'clusterRoleSelectors':"
                + "[{'matchExpressions':[{'key':'part','operator':'Exists'}]}]}}"));
    policy.put(binding("", "b", "ClusterRole/top", "User/bob"));
    AccessRequest get = request(BOB, "get", "core/pods", "t1", "p");
    assertThat(policy.decide(get).allowed()).isFalse();

    policy.put(
        json(
            "{'kind':'ClusterRole','metadata':{'name':'leaf','labels':{'part':'x'}},"
                + "'rules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]}"));
    assertThat(policy.decide(get).allowed()).isTrue();
    policy.remove("ClusterRole", "", "leaf");
    assertThat(policy.decide(get).allowed()).isFalse();
  }

  @Test
  void clusterBindingToAnAccountWithoutNamespaceBindsNobody() {
    policy.put(role("", "reader", rule("list", "", "pods")));
    policy.put(binding("", "b", "ClusterRole/reader", "ServiceAccount//x"));

    UserInfo account = UserInfo.of("system:serviceaccount::x");
    assertThat(policy.decide(request(account, "list", "core/pods", "", "")).allowed()).isFalse();
  }
}
