package dev.berth.server.admission.plugins;

import static dev.berth.server.admission.Writes.NODES;
import static dev.berth.server.admission.Writes.PODS;
import static dev.berth.server.admission.Writes.json;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.Writes;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.kinds.ResourceKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeRestrictionTest {
  private static final UserInfo NODE = UserInfo.of("system:node:n1", "system:nodes");
  private static final ResourceKind LEASES = Writes.kind("leases.coordination.k8s.io");
  private static final String OWNER =
      "{'apiVersion':'v1','kind':'Node','name':'n1','uid':'u1','controller':true}";

  private final FakeObjects objects = new FakeObjects();
  private final NodeRestriction plugin = new NodeRestriction(objects);

  NodeRestrictionTest() {
    objects.put("nodes", json("{'metadata':{'name':'n1','uid':'u1'}}"));
    objects.put(
        "pods",
        json("{'metadata':{'name':'mine','namespace':'t','uid':'m'},'spec':{'nodeName':'n1'}}"));
    objects.put(
        "pods",
        json("{'metadata':{'name':'other','namespace':'t','uid':'o'},'spec':{'nodeName':'n2'}}"));
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.io/hostname, true",
    "kubernetes.io/os, true",
    "kubernetes.io/arch, true",
    "topology.kubernetes.io/zone, true",
    "node.kubernetes.io/instance-type, true",
    "node.kubernetes.io/windows-build, true",
    "x.node.kubernetes.io/y, true",
    "kubelet.kubernetes.io/anything, true",
    "example.com/anything, true",
    "plain, true",
    "node-role.kubernetes.io/control-plane, false",
    "kubernetes.io/anything, false",
    "x.k8s.io/y, false",
    "node-restriction.kubernetes.io/x, false",
    "a.node-restriction.kubernetes.io/x, false",
  })
  void nodeLabelsItselfWithWhatDescribesTheMachine(String key, boolean allowed) {
    String labelled = "{'metadata':{'name':'n1','labels':{'" + key + "':'v'}}}";
    String plain = "{'metadata':{'name':'n1'}}";
    AdmissionAttributes creation = node(Operation.CREATE, "n1", labelled, null);
    AdmissionAttributes update = node(Operation.UPDATE, "n1", labelled, plain);
    AdmissionAttributes removal = node(Operation.UPDATE, "n1", plain, labelled);

    if (allowed) {
      assertThatCode(
              () -> {
                plugin.mutate(creation);
                plugin.mutate(update);
                plugin.mutate(removal);
              })
          .doesNotThrowAnyException();
    } else {
      refuses(
          creation,
          "nodes \"n1\" is forbidden: node \"n1\" is not allowed to set the following labels: "
              + key);
      refuses(update, "nodes \"n1\" is forbidden: is not allowed to modify labels: " + key);
      refuses(removal, "nodes \"n1\" is forbidden: is not allowed to modify labels: " + key);
    }
  }

  @Test
  void nodeTouchesNeitherTaintsNorOwnersNorOtherNodes() {
    refuses(
        node(Operation.UPDATE, "n1", "{'spec':{'taints':[]}}", "{'spec':{'taints':[{'key':'a'}]}}"),
        "nodes \"n1\" is forbidden: node \"n1\" is not allowed to modify taints");
    String owned = "{'metadata':{'name':'n1','ownerReferences':[" + OWNER + "]}}";
    String free = "{'metadata':{'name':'n1'}}";
    String owners =
        "nodes \"n1\" is forbidden: node \"n1\" is not allowed to modify ownerReferences";
    refuses(node(Operation.UPDATE, "n1", owned, free), owners);
    refuses(node(Operation.UPDATE, "n1", free, owned), owners);
    passes(node(Operation.UPDATE, "n1", owned, owned));
    refuses(
        node(Operation.UPDATE, "n2", "{}", "{}"),
        "nodes \"n2\" is forbidden: node \"n1\" is not allowed to modify node \"n2\"");
    refuses(
        node(Operation.DELETE, "n2", null, null),
        "nodes \"n2\" is forbidden: node \"n1\" is not allowed to modify node \"n2\"");
  }

  @Test
  void nodeWritesStatusAndDeletesAndEvictsOnlyItsPods() {
    String mine = "{'spec':{'nodeName':'n1'}}";
    String other = "{'spec':{'nodeName':'n2'}}";
    passes(pod(Operation.UPDATE, "status", "mine", mine, mine));
    refuses(
        pod(Operation.UPDATE, "status", "other", other, other),
        "pods \"other\" is forbidden: node \"n1\" can only update pod status for pods with"
            + " spec.nodeName set to itself");
    refuses(
        pod(
            Operation.UPDATE,
            "status",
            "mine",
            "{'metadata':{'labels':{'a':'b'}},'spec':{'nodeName':'n1'}}",
            mine),
        "pods \"mine\" is forbidden: node \"n1\" cannot update labels through pod status");
    passes(pod(Operation.DELETE, "", "mine", null, null));
    refuses(
        pod(Operation.DELETE, "", "other", null, null),
        "pods \"other\" is forbidden: node \"n1\" can only delete pods with spec.nodeName set to"
            + " itself");
    refuses(pod(Operation.DELETE, "", "gone", null, null), "pods \"gone\" not found");
    passes(pod(Operation.DELETE, "eviction", "mine", null, null));
    refuses(
        pod(Operation.DELETE, "eviction", "other", null, null),
        "pods \"other\" is forbidden: node n1 can only evict pods with spec.nodeName set to"
            + " itself");
    refuses(
        pod(Operation.UPDATE, "", "mine", mine, mine),
        "pods \"mine\" is forbidden: unexpected operation \"UPDATE\", node \"n1\" can only create"
            + " and delete mirror pods");
    refuses(
        pod(Operation.CREATE, "binding", "mine", "{}", null),
        "pods \"mine\" is forbidden: unexpected pod subresource \"binding\", only 'status' and"
            + " 'eviction' are allowed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "[OWNER]|{'nodeName':'n1'}|-",
        "[]|{'nodeName':'n1'}|node \"n1\" can only create pods with an owner reference set to itself",
        "[OWNER,OWNER]|{'nodeName':'n1'}|node \"n1\" can only create pods with a single owner reference set to itself",
        "[OWNER]|{'nodeName':'n2'}|node \"n1\" can only create pods with spec.nodeName set to itself",
        "[OWNER]|{'nodeName':'n1','serviceAccountName':'a'}|node \"n1\" can not create pods that reference a service account",
        "[OWNER]|{'nodeName':'n1','volumes':[{'secret':{'secretName':'s'}}]}|node \"n1\" can not create pods that reference secrets",
        "[OWNER]|{'nodeName':'n1','volumes':[{'configMap':{'name':'s'}}]}|node \"n1\" can not create pods that reference configmaps",
      })
  void nodeCreatesOnlyMirrorsOfItsOwnPods(String owners, String spec, @Nullable String refusal) {
    AdmissionAttributes creation =
        pod(
            Operation.CREATE,
            "",
            "m",
            "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':'x'},"
                + "'ownerReferences':"
                + owners.replace("OWNER", OWNER)
                + "},'spec':"
                + spec
                + "}",
            null);
    if (refusal == null) {
      passes(creation);
    } else {
      refuses(creation, "pods \"m\" is forbidden: " + refusal);
    }
  }

  @Test
  void plainPodsAndForeignOwnersAreRefused() {
    refuses(
        pod(Operation.CREATE, "", "p", "{'metadata':{'name':'p'}}", null),
        "pods \"p\" is forbidden: pod does not have \"kubernetes.io/config.mirror\" annotation,"
            + " node \"n1\" can only create mirror pods");
    refuses(
        pod(
            Operation.CREATE,
            "",
            "m",
            "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':'x'},"
                + "'ownerReferences':["
                + OWNER.replace("u1", "u2")
                + "]},'spec':{'nodeName':'n1'}}",
            null),
        "pods \"m\" is forbidden: node n1 UID mismatch: expected u2 got u1");
  }

  @Test
  void nodeRenewsOnlyItsLease() {
    passes(lease("kube-node-lease", "n1"));
    refuses(
        lease("kube-node-lease", "n2"),
        "leases.coordination.k8s.io \"n2\" is forbidden: can only access node lease with the same"
            + " name as the requesting node");
    refuses(
        lease("t", "n1"),
        "leases.coordination.k8s.io \"n1\" is forbidden: can only access leases in the"
            + " \"kube-node-lease\" system namespace");
  }

  @Test
  void othersAreNotRestrictedAndNamelessNodesRefused() {
    passes(Writes.of(Operation.UPDATE, NODES, "", "", "n2", json("{}"), json("{}"), Writes.ADMIN));
    refuses(
        Writes.of(
            Operation.UPDATE,
            NODES,
            "",
            "",
            "n1",
            json("{}"),
            json("{}"),
            UserInfo.of("system:node:", "system:nodes")),
        "nodes \"n1\" is forbidden: could not determine node from user \"system:node:\"");
  }

  private static AdmissionAttributes node(
      Operation operation, String name, @Nullable String object, @Nullable String old) {
    return write(operation, NODES, "", "", name, object, old);
  }

  private static AdmissionAttributes pod(
      Operation operation,
      String subresource,
      String name,
      @Nullable String object,
      @Nullable String old) {
    return write(operation, PODS, subresource, "t", name, object, old);
  }

  private static AdmissionAttributes lease(String namespace, String name) {
    return write(
        Operation.CREATE, LEASES, "", namespace, "", "{'metadata':{'name':'" + name + "'}}", null);
  }

  private static AdmissionAttributes write(
      Operation operation,
      ResourceKind kind,
      String subresource,
      String namespace,
      String name,
      @Nullable String object,
      @Nullable String old) {
    return Writes.of(
        operation,
        kind,
        subresource,
        namespace,
        name,
        object == null ? null : json(object),
        old == null ? null : json(old),
        NODE);
  }

  private void passes(AdmissionAttributes attributes) {
    assertThatCode(() -> admit(attributes)).doesNotThrowAnyException();
  }

  private void refuses(AdmissionAttributes attributes, String message) {
    assertThatThrownBy(() -> admit(attributes)).hasMessage(message);
  }

  private void admit(AdmissionAttributes attributes) {
    plugin.mutate(attributes);
    plugin.validate(attributes);
  }
}
