package dev.berth.server.admission.plugins;

import static dev.berth.server.admission.Writes.json;
import static dev.berth.server.admission.Writes.newPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.RegistrySettings;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionChain;
import dev.berth.server.admission.Writes;
import dev.berth.server.admission.images.ImageLookups;
import dev.berth.server.admission.quotas.FakeQuotas;
import dev.berth.server.admission.runtimeclass.FakeCatalog;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.auth.authorization.EscalationCheck;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.NodeGraph;
import dev.berth.server.auth.rbac.BootstrapPolicy;
import dev.berth.server.auth.rbac.RbacPolicy;
import dev.berth.server.errors.ApiException;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The whole chain against what a real server answered.
class StandardAdmissionTest {
  private final FakeObjects objects = new FakeObjects();
  private final RbacPolicy rbac = new RbacPolicy();
  private final Authorizer authorizer =
      new Authorizer(rbac, new NodeAuthorizer(new NodeGraph(), BootstrapPolicy.load()));
  private final AdmissionChain chain =
      StandardAdmission.chain(
          AdmissionConfig.STANDARD,
          objects,
          new FakeQuotas(),
          new FakeCatalog()
              .with("gvisor", "")
              .with("secret", "'runtimeclass.berth.dev/allowed-namespaces':'other'"),
          new EscalationCheck(authorizer, rbac),
          new CertificateAdmission(authorizer, () -> Instant.EPOCH),
          ImageLookups.open(Duration.ZERO, () -> RegistrySettings.USUAL),
          new Random(1),
          Duration.ZERO,
          new PrometheusRegistry());

  StandardAdmissionTest() {
    objects.put("namespaces", json("{'metadata':{'name':'t1'},'status':{'phase':'Active'}}"));
    objects.put("serviceaccounts", json("{'metadata':{'name':'default','namespace':'t1'}}"));
    objects.put(
        "runtimeclasses.node.k8s.io",
        json(
            "{'metadata':{'name':'kata'},'handler':'kata',"
                + "'overhead':{'podFixed':{'cpu':'250m','memory':'64Mi'}},"
                + "'scheduling':{'nodeSelector':{'kata':'yes'},"
                + "'tolerations':[{'key':'kata','operator':'Exists'}]}}"));
  }

  @Test
  void podOfAClassIsCompletedAsCaptured() {
    AdmissionAttributes write =
        newPod(
            "{'metadata':{'name':'rtc1'},'spec':{'containers':[{'name':'c','image':'busybox'}],"
                + "'runtimeClassName':'kata'}}");
    chain.mutate(write);
    chain.validate(write);

    ObjectNode pod = Objects.requireNonNull(write.object());
    String volume = pod.at("/spec/volumes/0/name").asText();
    assertThat(volume).matches("kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(pod.path("spec"))
        .isEqualTo(
            json(
                ("{'volumes':[{'name':'VOLUME','projected':{'sources':[{'serviceAccountToken':"
                        + "{'expirationSeconds':3607,'path':'token'}},{'configMap':"
                        + "{'name':'kube-root-ca.crt','items':[{'key':'ca.crt',"
                        + "'path':'ca.crt'}]}},{'downwardAPI':{'items':[{'path':'namespace',"
                        + "'fieldRef':{'apiVersion':'v1','fieldPath':'metadata.namespace'}}]}}],"
                        + "'defaultMode':420}}],'containers':[{'name':'c','image':'busybox',"
                        + "'volumeMounts':[{'name':'VOLUME','readOnly':true,'mountPath':"
                        + "'/var/run/secrets/kubernetes.io/serviceaccount'}]}],"
                        + "'nodeSelector':{'kata':'yes'},'serviceAccountName':'default',"
                        + "'serviceAccount':'default','tolerations':["
                        + "{'key':'node.kubernetes.io/not-ready','operator':'Exists',"
                        + "'effect':'NoExecute','tolerationSeconds':300},"
                        + "{'key':'node.kubernetes.io/unreachable','operator':'Exists',"
                        + "'effect':'NoExecute','tolerationSeconds':300},"
                        + "{'key':'kata','operator':'Exists'}],'priority':0,"
                        + "'runtimeClassName':'kata','preemptionPolicy':'PreemptLowerPriority',"
                        + "'overhead':{'cpu':'250m','memory':'64Mi'}}")
                    .replace("VOLUME", volume)));
  }

  @Test
  void refusalsReadAsCaptured() {
    refuses(
        "{'metadata':{'name':'rtc2'},'spec':{'runtimeClassName':'nope'}}",
        "pods \"rtc2\" is forbidden: pod rejected: RuntimeClass \"nope\" not found; create it, or name"
            + " another one (there are: gvisor)");
    refuses(
        "{'metadata':{'name':'rtc6'},'spec':{'runtimeClassName':'Bad_Name'}}",
        "pods \"rtc6\" is forbidden: pod rejected: RuntimeClass \"Bad_Name\" not found; create it, or"
            + " name another one (there are: gvisor)");
    refuses(
        "{'metadata':{'name':'rtc3'},'spec':{'runtimeClassName':'kata',"
            + "'nodeSelector':{'kata':'no'}}}",
        "pods \"rtc3\" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[kata] = yes;"
            + " pod.spec.nodeSelector[kata] = no");
    refuses(
        "{'metadata':{'name':'rtc4'},'spec':{'overhead':{'cpu':'1'}}}",
        "pods \"rtc4\" is forbidden: pod rejected: Pod Overhead set without corresponding"
            + " RuntimeClass defined Overhead");
    refuses(
        "{'metadata':{'name':'rtc5'},'spec':{'runtimeClassName':'kata','overhead':{'cpu':'1'}}}",
        "pods \"rtc5\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's"
            + " defined Overhead");
    refuses(
        "{'metadata':{'name':'prio'},'spec':{'priorityClassName':'nope'}}",
        "pods \"prio\" is forbidden: no PriorityClass with name nope was found");
    objects.remove("serviceaccounts", "t1", "default");
    refuses(
        "{'metadata':{'name':'nosa'},'spec':{}}",
        "pods \"nosa\" is forbidden: error looking up service account t1/default:"
            + " serviceaccount \"default\" not found");
  }

  @Test
  void newNodeIsTaintedAsCaptured() {
    AdmissionAttributes write =
        Writes.create(Writes.NODES, "", json("{'metadata':{'name':'n1'},'status':{}}"));
    chain.mutate(write);

    assertThat(write.object())
        .isEqualTo(
            json(
                "{'metadata':{'name':'n1'},'status':{},'spec':{'taints':"
                    + "[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]}}"));
  }

  @Test
  void escalationIsStoppedAfterValidation() {
    UserInfo bob = UserInfo.of("bob");
    ObjectNode role =
        json(
            "{'kind':'ClusterRole','metadata':{'name':'all'},'rules':"
                + "[{'verbs':['*'],'apiGroups':['*'],'resources':['*']}]}");
    AdmissionAttributes write =
        Writes.of(
            Operation.CREATE,
            Writes.kind("clusterroles.rbac.authorization.k8s.io"),
            "",
            "",
            "",
            role,
            null,
            bob);
    chain.mutate(write);

    assertThatThrownBy(() -> chain.validate(write))
        .hasMessageStartingWith(
            "clusterroles.rbac.authorization.k8s.io \"all\" is forbidden: user \"bob\""
                + " (groups=[]) is attempting to grant RBAC permissions not currently held:");
  }

  private void refuses(String pod, String message) {
    assertThatThrownBy(
            () -> {
              AdmissionAttributes write = newPod(pod);
              chain.mutate(write);
              chain.validate(write);
            })
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.status().code()).isEqualTo(403);
              assertThat(refusal.status().reason()).isEqualTo("Forbidden");
              assertThat(refusal.status().details().kind()).isEqualTo("pods");
            })
        .hasMessage(message);
  }
}
