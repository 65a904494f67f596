package dev.berth.server.auth.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.RbacObjects;
import dev.berth.server.auth.rbac.PolicyReconciler.Change;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PolicyReconcilerTest {
  private static final String ROLES = "clusterroles.rbac.authorization.k8s.io";
  private static final String BINDINGS = "clusterrolebindings.rbac.authorization.k8s.io";

  private final BootstrapPolicy policy = BootstrapPolicy.load();
  private final FakeObjects objects = new FakeObjects();

  @Test
  void everythingIsCreatedOnceAndThenLeftAlone() {
    List<Change> first = PolicyReconciler.plan(policy, objects);
    assertThat(first).hasSameSizeAs(policy.objects()).allMatch(Change.Create.class::isInstance);
    first.forEach(this::apply);
    assertThat(PolicyReconciler.plan(policy, objects)).isEmpty();
  }

  @Test
  void createdRoleIsMarkedAsOurs() {
    PolicyReconciler.plan(policy, objects).forEach(this::apply);
    ObjectNode edit = stored(ROLES, "edit");

    assertThat(edit)
        .hasToString(
            "{\"kind\":\"ClusterRole\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\","
                + "\"metadata\":{\"name\":\"edit\",\"labels\":{\"kubernetes.io/bootstrapping\":"
                + "\"rbac-defaults\",\"rbac.authorization.k8s.io/aggregate-to-admin\":\"true\"},"
                + "\"annotations\":{\"rbac.authorization.kubernetes.io/autoupdate\":\"true\"}},"
                + "\"rules\":[],\"aggregationRule\":{\"clusterRoleSelectors\":[{\"matchLabels\":"
                + "{\"rbac.authorization.k8s.io/aggregate-to-edit\":\"true\"}}]}}");
  }

  @Test
  void missingRulesAndSubjectsComeBackAndAdditionsStay() {
    PolicyReconciler.plan(policy, objects).forEach(this::apply);
    ArrayNode rules = (ArrayNode) stored(ROLES, "system:basic-user").path("rules");
    rules.remove(0);
    rules.add(RbacObjects.json("{'verbs':['get'],'apiGroups':['x'],'resources':['y']}"));
    ArrayNode subjects = (ArrayNode) stored(BINDINGS, "system:discovery").path("subjects");
    subjects.removeAll();
    subjects.add(RbacObjects.json("{'kind':'User','name':'guest'}"));

    List<Change> changes = PolicyReconciler.plan(policy, objects);
    assertThat(changes).hasSize(2).allMatch(Change.Update.class::isInstance);
    changes.forEach(this::apply);
    assertThat(stored(ROLES, "system:basic-user").path("rules")).hasSize(3);
    assertThat(stored(BINDINGS, "system:discovery").path("subjects"))
        .extracting(subject -> subject.path("name").asText())
        .containsExactly("guest", "system:authenticated");
  }

  @Test
  void widerRuleCountsAsPresentAndAutoUpdateFalseIsRespected() {
    PolicyReconciler.plan(policy, objects).forEach(this::apply);
    ObjectNode basic = stored(ROLES, "system:basic-user");
    basic
        .putArray("rules")
        .add(RbacObjects.json("{'verbs':['*'],'apiGroups':['*'],'resources':['*']}"));
    ObjectNode view = stored(ROLES, "system:aggregate-to-view");
    view.putArray("rules");
    ((ObjectNode) view.at("/metadata/annotations")).put(BootstrapPolicy.AUTO_UPDATE, "false");

    assertThat(PolicyReconciler.plan(policy, objects)).isEmpty();
  }

  @Test
  void bindingToAnotherRoleIsMadeAnew() {
    PolicyReconciler.plan(policy, objects).forEach(this::apply);
    ((ObjectNode) stored(BINDINGS, "system:discovery").path("roleRef"))
        .put("name", "cluster-admin");

    assertThat(PolicyReconciler.plan(policy, objects))
        .singleElement()
        .isInstanceOf(Change.Recreate.class);
  }

  private ObjectNode stored(String bucket, String name) {
    return Objects.requireNonNull(objects.read(bucket, "", name), name);
  }

  private void apply(Change change) {
    ObjectNode object = change.object();
    objects.put(object.has("roleRef") ? BINDINGS : ROLES, object);
  }
}
