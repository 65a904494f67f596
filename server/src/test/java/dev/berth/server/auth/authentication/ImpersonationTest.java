package dev.berth.server.auth.authentication;

import static dev.berth.server.auth.RbacObjects.binding;
import static dev.berth.server.auth.RbacObjects.role;
import static dev.berth.server.auth.RbacObjects.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.NodeGraph;
import dev.berth.server.auth.rbac.RbacPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImpersonationTest {
  private static final UserInfo ADMIN = UserInfo.of("admin", "system:masters");
  private static final UserInfo HELPER = UserInfo.of("helper", "system:authenticated");

  private final RbacPolicy rbac = new RbacPolicy();
  private final Impersonation impersonation =
      new Impersonation(new Authorizer(rbac, new NodeAuthorizer(new NodeGraph(), List.of())));

  @Test
  void withoutHeadersTheRequesterStays() {
    assertThat(impersonation.apply(ADMIN, Map.of("Accept", List.of("x")))).isSameAs(ADMIN);
  }

  @Test
  void allHeadersMakeTheNewUser() {
    assertThat(
            impersonation.apply(
                ADMIN,
                Map.of(
                    "Impersonate-User", List.of("bob"),
                    "Impersonate-Uid", List.of("7"),
                    "Impersonate-Group", List.of("devs", "ops"),
                    "Impersonate-Extra-acme.com%2Fproject", List.of("x", "y"))))
        .isEqualTo(
            new UserInfo(
                "bob",
                "7",
                List.of("devs", "ops", "system:authenticated"),
                Map.of("acme.com/project", List.of("x", "y"))));
  }

  @Test
  void serviceAccountAndAnonymousGetTheirGroups() {
    assertThat(groups("system:serviceaccount:t1:default"))
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:t1", "system:authenticated");
    assertThat(groups("system:anonymous")).containsExactly("system:unauthenticated");
  }

  @Test
  void eachPartMustBeAllowed() {
    rbac.put(
        role(
            "",
            "as-bob",
            rule("impersonate", "", "users", "bob"),
            rule("impersonate", "", "serviceaccounts")));
    rbac.put(binding("", "b", "ClusterRole/as-bob", "User/helper"));

    assertThat(impersonation.apply(HELPER, Map.of("impersonate-user", List.of("bob"))).name())
        .isEqualTo("bob");
    assertThatThrownBy(
            () -> impersonation.apply(HELPER, Map.of("Impersonate-User", List.of("eve"))))
        .hasMessage(
            "users \"eve\" is forbidden: User \"helper\" cannot impersonate resource \"users\" in"
                + " API group \"\" at the cluster scope");
    assertThatThrownBy(
            () ->
                impersonation.apply(
                    HELPER,
                    Map.of(
                        "Impersonate-User", List.of("bob"),
                        "Impersonate-Group", List.of("system:masters"))))
        .hasMessage(
            "groups \"system:masters\" is forbidden: User \"helper\" cannot impersonate resource"
                + " \"groups\" in API group \"\" at the cluster scope");
    assertThatThrownBy(
            () ->
                impersonation.apply(
                    HELPER,
                    Map.of(
                        "Impersonate-User", List.of("bob"),
                        "Impersonate-Extra-Scopes", List.of("all"))))
        .hasMessage(
            "userextras.authentication.k8s.io \"all\" is forbidden: User \"helper\" cannot"
                + " impersonate resource \"userextras/scopes\" in API group"
                + " \"authentication.k8s.io\" at the cluster scope");
  }

  @Test
  void groupsWithoutAUserAreAMistake() {
    assertThatThrownBy(() -> impersonation.apply(ADMIN, Map.of("Impersonate-Group", List.of("x"))))
        .hasMessage("requested [impersonate-group] without impersonating a user");
  }

  private List<String> groups(String user) {
    return impersonation.apply(ADMIN, Map.of("Impersonate-User", List.of(user))).groups();
  }
}
