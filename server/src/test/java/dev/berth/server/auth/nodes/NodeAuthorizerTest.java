package dev.berth.server.auth.nodes;

import static dev.berth.server.auth.RbacObjects.json;
import static dev.berth.server.auth.RbacObjects.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AccessRequest.Target;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.rbac.BootstrapPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAuthorizerTest {
  private static final UserInfo NODE = UserInfo.of("system:node:n1", "system:nodes");
  private static final String POD =
      "{'metadata':{'name':'p','namespace':'t1'},'spec':{'nodeName':'%s',"
          + "'serviceAccountName':'robot','imagePullSecrets':[{'name':'pull'}],"
          + "'volumes':[{'name':'a','secret':{'secretName':'vol'}},"
          + "{'name':'b','configMap':{'name':'vol'}},{'name':'c','projected':{'sources':["
          + "{'secret':{'name':'proj'}},{'configMap':{'name':'kube-root-ca.crt'}}]}}],"
          + "'containers':[{'name':'c','env':[{'name':'E','valueFrom':{'secretKeyRef':"
          + "{'name':'env'}}}],'envFrom':[{'configMapRef':{'name':'from'}}]}],"
          + "'initContainers':[{'name':'i','envFrom':[{'secretRef':{'name':'init'}}]}]}}";

  private final NodeGraph graph = new NodeGraph();
  private final NodeAuthorizer authorizer = new NodeAuthorizer(graph, BootstrapPolicy.load());

  @ParameterizedTest
  @CsvSource({
    "secrets, pull",
    "secrets, vol",
    "secrets, proj",
    "secrets, env",
    "secrets, init",
    "configmaps, vol",
    "configmaps, kube-root-ca.crt",
    "configmaps, from",
    "pods, p",
  })
  void nodeReadsWhatItsPodsReferTo(String plural, String name) {
    AccessRequest get = request(NODE, "get", "core/" + plural, "t1", name);
    assertRefused(get, "no relationship found between node 'n1' and this object");

    graph.put(json(POD.formatted("n1")));
    assertThat(authorizer.decide(get)).isEqualTo(AuthorizationDecision.ALLOWED);
    graph.put(json(POD.formatted("n2")));
    assertThat(authorizer.decide(get).allowed()).isFalse();
    graph.put(json(POD.formatted("n1")));
    graph.remove("t1", "p");
    assertThat(authorizer.decide(get).allowed()).isFalse();
  }

  @Test
  void sharedObjectStaysReadableUntilTheLastPodIsGone() {
    graph.put(json(POD.formatted("n1")));
    graph.put(json(POD.formatted("n1").replace("'name':'p'", "'name':'q'")));
    graph.remove("t1", "p");

    assertThat(authorizer.decide(request(NODE, "get", "core/secrets", "t1", "vol")).allowed())
        .isTrue();
    graph.remove("t1", "q");
    assertThat(authorizer.decide(request(NODE, "get", "core/secrets", "t1", "vol")).allowed())
        .isFalse();
  }

  @Test
  void aNodeGetsTheAttachmentsToItselfOnly() {
    String attachment = "{'metadata':{'name':'a'},'spec':{'nodeName':'%s'}}";
    AccessRequest get = request(NODE, "get", "storage.k8s.io/volumeattachments", "", "a");
    graph.putAttachment(json(attachment.formatted("n2")));
    assertRefused(get, "no relationship found between node 'n1' and this object");

    graph.putAttachment(json(attachment.formatted("n1")));
    assertThat(authorizer.decide(get)).isEqualTo(AuthorizationDecision.ALLOWED);
    graph.removeAttachment("a");
    assertThat(authorizer.decide(get).allowed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "create, core/serviceaccounts/token, t1, robot, ``",
        "create, core/serviceaccounts/token, t1, other, no relationship found between node 'n1' and this object",
        "get, core/serviceaccounts, t1, robot, can only create tokens for individual service accounts",
        "create, core/serviceaccounts, t1, robot, can only create token subresource of serviceaccount",
        "create, storage.k8s.io/csinodes, ``, ``, ``",
        "get, storage.k8s.io/csinodes, ``, n1, ``",
        "patch, storage.k8s.io/csinodes, ``, n2, can only access CSINode with the same name as the requesting node",
        "list, storage.k8s.io/csinodes, ``, ``, `can only get, create, update, patch, or delete a CSINode`",
        "list, storage.k8s.io/csidrivers, ``, ``, ``",
        "watch, storage.k8s.io/csidrivers, ``, ``, ``",
        "list, storage.k8s.io/volumeattachments, ``, ``, can only get individual resources of this type",
        "list, core/secrets, t1, ``, No Object name found",
        "list, core/secrets, ``, ``, can only read namespaced object of this type",
        "delete, core/secrets, t1, vol, can only read resources of this type",
        "get, core/nodes, ``, n1, ``",
        "get, core/nodes, ``, n2, `node 'n1' cannot read 'n2', only its own Node object`",
        "list, core/nodes, ``, ``, `node 'n1' cannot read all nodes, only its own Node object`",
        "create, core/nodes, ``, ``, ``",
        "patch, core/nodes/status, ``, n1, ``",
        "patch, core/pods/status, t1, p, ``",
        "create, core/pods/eviction, t1, p, ``",
        "delete, core/pods, t1, p, ``",
        "list, core/pods, ``, ``, can only list/watch pods with spec.nodeName field selector",
        "update, coordination.k8s.io/leases, kube-node-lease, n1, ``",
        "create, coordination.k8s.io/leases, kube-node-lease, ``, ``",
        "get, coordination.k8s.io/leases, kube-node-lease, n2, can only access node lease with the same name as the requesting node",
        "get, coordination.k8s.io/leases, t1, n1, can only access leases in the \"kube-node-lease\" system namespace",
        "list, coordination.k8s.io/leases, kube-node-lease, ``, `can only get, create, update, patch, or delete a node lease`",
        "create, core/events, t1, ``, ``",
        "list, core/services, ``, ``, ``",
        "list, node.k8s.io/runtimeclasses, ``, ``, ``",
      })
  void nodeMayDoItsWorkAndNoMore(
      String verb, String what, String namespace, String name, String refusal) {
    graph.put(json(POD.formatted("n1")));
    AccessRequest request = request(NODE, verb, what, namespace, name);

    if (refusal.isEmpty()) {
      assertThat(authorizer.decide(request)).isEqualTo(AuthorizationDecision.ALLOWED);
    } else {
      assertRefused(request, refusal);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "spec.nodeName=n1, true",
        "`status.phase!=Failed,spec.nodeName==n1`, true",
        "spec.nodeName=n2, false",
        "spec.nodeName!=n1, false",
      })
  void podsAreListedByOwnNodeOnly(String selector, boolean allowed) {
    AccessRequest list =
        new AccessRequest(
            NODE, "watch", new Target.Resource("", "v1", "pods", "", "", "", selector));
    assertThat(authorizer.decide(list).allowed()).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({"metadata.name=n1, true", "metadata.name=n2, false", "spec.nodeName=n1, false"})
  void aNodeFollowsItselfOnly(String selector, boolean allowed) {
    AccessRequest watch =
        new AccessRequest(
            NODE, "watch", new Target.Resource("", "v1", "nodes", "", "", "", selector));
    assertThat(authorizer.decide(watch).allowed()).isEqualTo(allowed);
  }

  @Test
  void othersAreNotItsBusiness() {
    UserInfo lookalike = UserInfo.of("system:node:n1", "other");
    assertThat(authorizer.decide(request(lookalike, "get", "core/nodes", "", "n1")))
        .isEqualTo(AuthorizationDecision.NO_OPINION);
    assertRefused(
        request(UserInfo.of("system:node:", "system:nodes"), "get", "core/nodes", "", "n1"),
        "unknown node for user \"system:node:\"");
  }

  private void assertRefused(AccessRequest request, String reason) {
    assertThat(authorizer.decide(request)).isEqualTo(new AuthorizationDecision(false, reason));
  }
}
