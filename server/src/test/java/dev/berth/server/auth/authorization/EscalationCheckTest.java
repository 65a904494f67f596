package dev.berth.server.auth.authorization;

import static dev.berth.server.auth.RbacObjects.binding;
import static dev.berth.server.auth.RbacObjects.json;
import static dev.berth.server.auth.RbacObjects.paths;
import static dev.berth.server.auth.RbacObjects.role;
import static dev.berth.server.auth.RbacObjects.rule;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.NodeGraph;
import dev.berth.server.auth.rbac.RbacPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class EscalationCheckTest {
  private static final UserInfo BOB = UserInfo.of("bob", "devs", "system:authenticated");

  private final RbacPolicy rbac = new RbacPolicy();
  private final EscalationCheck check =
      new EscalationCheck(
          new Authorizer(rbac, new NodeAuthorizer(new NodeGraph(), List.of())), rbac);

  EscalationCheckTest() {
    rbac.put(
        role(
            "t1",
            "own",
            rule("get list", "", "pods"),
            rule("*", "apps", "*"),
            rule("get", "", "*/status")));
    rbac.put(binding("t1", "b", "Role/own", "User/bob"));
  }

  @Test
  void rightsThatOneHasMayBePassedOn() {
    assertThatCode(
            () ->
                check.check(
                    BOB,
                    role(
                        "t1",
                        "new",
                        rule("list", "", "pods", "x"),
                        rule("delete", "apps", "deployments/scale"),
                        rule("get", "", "nodes/status")),
                    null))
        .doesNotThrowAnyException();
  }

  @Test
  void refusalListsWhatIsMissing() {
    assertThatThrownBy(
            () ->
                check.check(
                    BOB,
                    role(
                        "t1",
                        "new",
                        rule("get watch delete", "", "pods"),
                        rule("get", "", "secrets", "s"),
                        paths("get", "/metrics")),
                    null))
        .hasMessage(
            "roles.rbac.authorization.k8s.io \"new\" is forbidden: user \"bob\""
                + " (groups=[\"devs\" \"system:authenticated\"]) is attempting to grant RBAC"
                + " permissions not currently held:\n"
                + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"watch\" \"delete\"]}\n"
                + "{APIGroups:[\"\"], Resources:[\"secrets\"], ResourceNames:[\"s\"],"
                + " Verbs:[\"get\"]}\n"
                + "{NonResourceURLs:[\"/metrics\"], Verbs:[\"get\"]}");
  }

  @Test
  void whatIsCollectedNeedsNoRights() {
    var strong = role("t1", "r", rule("*", "*", "*"));
    var ending = strong.deepCopy();
    ending.withObjectProperty("metadata").putArray("finalizers").add("foregroundDeletion");
    assertThatCode(() -> check.check(BOB, ending, strong)).doesNotThrowAnyException();
  }

  @Test
  void labelsOfARoleNeedItsRights() {
    var strong = role("", "strong", rule("*", "*", "*"));
    var aggregated = strong.deepCopy();
    aggregated
        .withObjectProperty("metadata")
        .putObject("labels")
        .put("rbac.authorization.k8s.io/aggregate-to-view", "true");
    assertThatThrownBy(() -> check.check(BOB, aggregated, strong))
        .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
  }

  @Test
  void bindingNeedsTheRightsOfItsRoleOrTheVerbBind() {
    rbac.put(role("", "strong", rule("*", "*", "*")));
    var strong = binding("t1", "new", "ClusterRole/strong", "User/eve");

    assertThatThrownBy(() -> check.check(BOB, strong, null))
        .hasMessage(
            "rolebindings.rbac.authorization.k8s.io \"new\" is forbidden: user \"bob\""
                + " (groups=[\"devs\" \"system:authenticated\"]) is attempting to grant RBAC"
                + " permissions not currently held:\n"
                + "{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
    assertThatCode(() -> check.check(BOB, binding("t1", "new", "Role/own", "User/eve"), null))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> check.check(BOB, binding("t1", "new", "ClusterRole/gone", "User/eve"), null))
        .hasMessage("clusterroles.rbac.authorization.k8s.io \"gone\" not found");

    rbac.put(
        role("t1", "binder", rule("bind", "rbac.authorization.k8s.io", "clusterroles", "strong")));
    rbac.put(binding("t1", "b2", "Role/binder", "Group/devs"));
    assertThatCode(() -> check.check(BOB, strong, null)).doesNotThrowAnyException();
  }

  @Test
  void escalateAndMastersPass() {
    var strong = role("", "strong", rule("*", "*", "*"));
    assertThatThrownBy(() -> check.check(BOB, strong, null)).hasMessageContaining("not currently");
    assertThatCode(() -> check.check(UserInfo.of("a", "system:masters"), strong, null))
        .doesNotThrowAnyException();
    rbac.put(role("", "esc", rule("escalate", "rbac.authorization.k8s.io", "clusterroles")));
    rbac.put(binding("", "esc", "ClusterRole/esc", "User/bob"));
    assertThatCode(() -> check.check(BOB, strong, null)).doesNotThrowAnyException();
  }

  @Test
  void aggregationNeedsEverything() {
    var aggregated =
        json(
            "{'kind':'ClusterRole','metadata':{'name':'all'},'aggregationRule':"
                + "{'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]}}");
    assertThatThrownBy(() -> check.check(BOB, aggregated, null))
        .hasMessage(
            "clusterroles.rbac.authorization.k8s.io \"all\" is forbidden: must have cluster-admin"
                + " privileges to use the aggregationRule");
  }
}
