package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pods.PodSamples;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What can be done to pods besides writing them.
class PodVerbsTest {
  private final StoreFixture fixture = new StoreFixture();
  private final ResourceVerbs verbs = fixture.verbs();

  @BeforeEach
  void createPod() {
    ObjectNode pod =
        PodSamples.podOf(
            "containers: [{name: a, image: 'a:1', resources: {requests: {cpu: 100m, memory: 1Gi}}}]");
    pod.put("kind", "Pod").put("apiVersion", "v1");
    ((ObjectNode) pod.path("metadata")).removeAll().put("name", "p");
    verbs.creator().create(fixture.target("pods", "", ""), body(pod), options(""));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aBindingInTheCollectionBindsThePodOfItsName() {
    String binding = "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}";
    verbs
        .bindings()
        .bindNamed(fixture.target("bindings", "", ""), body(json(binding)), options(""));

    assertThat(pod().at("/spec/nodeName").asText()).isEqualTo("n");
    assertThat(pod().at("/status/conditions/0/type").asText()).isEqualTo("PodScheduled");
    assertThatThrownBy(() -> bind("q", binding))
        .isInstanceOf(ApiException.class)
        .hasMessage("name in URL does not match name in Binding object");
  }

  @Test
  void onlyADeletionMarksAPod() {
    ObjectNode marked = pod();
    marked.withObjectProperty("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    assertThatThrownBy(() -> update(marked, ""))
        .hasMessage(
            "Pod \"p\" is invalid: metadata.deletionTimestamp: Invalid value: 2026-01-01 00:00:00"
                + " +0000 UTC: field is immutable");

    update(marked, "status");
    assertThat(pod().at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
  }

  private void update(ObjectNode pod, String subresource) {
    verbs.updater().update(fixture.target("pods", "p", subresource), body(pod), options(""));
  }

  @Test
  void aBindingOfAnotherPodOrAnEarlierRevisionIsRefused() {
    String uid = pod().at("/metadata/uid").asText();
    String revision = pod().at("/metadata/resourceVersion").asText();
    String binding = "{'metadata':{'uid':'%s','resourceVersion':'%s'},'target':{'name':'n'}}";
    assertThatThrownBy(() -> bind("p", binding.formatted("u", revision)))
        .hasMessage(
            "Operation cannot be fulfilled on pods \"p\": StorageError: invalid object, Code: 4,"
                + " Key: /registry/pods/t/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition"
                + " failed: UID in precondition: u, UID in object meta: "
                + uid);
    assertThatThrownBy(() -> bind("p", binding.formatted(uid, "1000")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(409))
        .hasMessageEndingWith(
            "Precondition failed: ResourceVersion in precondition: 1000, ResourceVersion in object"
                + " meta: "
                + revision);
    assertThat(pod().path("spec").has("nodeName")).isFalse();
    bind("p", binding.formatted(uid, revision));
    assertThat(pod().at("/spec/nodeName").asText()).isEqualTo("n");
  }

  @Test
  void aNodeThatCannotRunTheImagesIsRefusedWhoeverBinds() {
    node("arm", "arm64");
    node("amd", "amd64");
    ObjectNode pod = pod();
    pod.withObject("/metadata/annotations")
        .put("berth.dev/image-platforms", "{\"a:1\":[\"linux/amd64\"]}");
    update(pod, "");

    assertThatThrownBy(() -> bind("p", "{'target':{'name':'arm'}}"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(409))
        .hasMessage(
            "Operation cannot be fulfilled on pods/binding \"p\": node arm can't run it: image a:1"
                + " has no entry for linux/arm64; it has linux/amd64");
    bind("p", "{'target':{'name':'amd'}}");
    assertThat(pod().at("/spec/nodeName").asText()).isEqualTo("amd");
  }

  private void node(String name, String architecture) {
    ObjectNode node =
        json(
            "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%s','labels':{'kubernetes.io/os':'linux','kubernetes.io/arch':'%s'}}}"
                .formatted(name, architecture));
    verbs.creator().create(fixture.target("nodes", "", ""), body(node), options(""));
  }

  @Test
  void anEvictionMarksThePodAndSaysWhy() {
    bind("p", "{'target':{'kind':'Node','name':'n'}}");
    evict("{'metadata':{'name':'p'}}", "");

    assertThat(pod().at("/metadata/deletionTimestamp").asText()).isNotEmpty();
    assertThat(pod().at("/status/conditions/1").toString())
        .isEqualTo(
            "{\"type\":\"DisruptionTarget\",\"status\":\"True\",\"lastProbeTime\":null,"
                + "\"lastTransitionTime\":\"1970-01-01T00:00:00Z\","
                + "\"reason\":\"EvictionByEvictionAPI\",\"message\":\"Eviction API: evicting\"}");
  }

  @Test
  void aTrialOfAnEvictionChangesNothingWhereverItIsAskedFor() {
    ObjectNode before = pod();
    evict("{'deleteOptions':{'gracePeriodSeconds':0}}", "dryRun=All");
    evict("{'deleteOptions':{'dryRun':['All']}}", "");
    evict("{}", "dryRun=All");
    assertThat(pod()).isEqualTo(before);
  }

  @Test
  void anEvictionOfAnotherNameIsRefused() {
    assertThatThrownBy(() -> evict("{'metadata':{'name':'q'}}", ""))
        .isInstanceOf(ApiException.class)
        .hasMessage("name in URL does not match name in Eviction object");
  }

  @Test
  void aResizeChangesResourcesAndNothingElse() {
    patch(
        "resize",
        "{'metadata':{'labels':{'x':'y'},'finalizers':['a/b']},'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'a','image':'b:2','resources':{'requests':{'cpu':'200m'}}}]}}");

    assertThat(pod().at("/spec/containers/0/resources/requests").toString())
        .isEqualTo("{\"cpu\":\"200m\",\"memory\":\"1Gi\"}");
    assertThat(pod().at("/spec/containers/0/image").asText()).isEqualTo("a:1");
    assertThat(pod().at("/spec/restartPolicy").asText()).isEqualTo("Always");
    assertThat(pod().path("metadata").has("labels")).isFalse();
    assertThat(pod().path("metadata").has("finalizers")).isFalse();
  }

  @Test
  void onlyAResizeThatAsksTheNodeForOtherResourcesIsProposed() {
    resize("50m");
    assertThat(pod().path("status").has("resize")).as("no node knows the container").isFalse();
    patch(
        "status",
        "{'status':{'containerStatuses':[{'name':'a','image':'a:1','imageID':'','ready':true,"
            + "'restartCount':0}]}}");
    patch("resize", "{'status':{'resize':'Infeasible'},'metadata':{'labels':{'x':'y'}}}");
    resize("0.05");
    assertThat(pod().path("status").has("resize")).as("nothing changes").isFalse();

    resize("1");
    assertThat(pod().at("/status/resize").asText()).isEqualTo("Proposed");
    patch("status", "{'status':{'resize':null}}");
    assertThat(pod().path("status").has("resize")).isFalse();
  }

  private void resize(String processors) {
    patch(
        "resize",
        "{'spec':{'containers':[{'name':'a','resources':{'requests':{'cpu':'%s'}}}]}}"
            .formatted(processors));
  }

  @Test
  void aResizeKeepsTheQualityOfServiceAndOtherResources() {
    assertThatThrownBy(
            () ->
                patch(
                    "resize",
                    "{'spec':{'containers':[{'name':'a','resources':{'limits':{'cpu':'100m',"
                        + "'memory':'1Gi'},'requests':{'memory':'1Gi'}}}]}}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("Pod QOS Class may not change as a result of resizing");
    assertThatThrownBy(
            () ->
                patch(
                    "resize",
                    "{'spec':{'containers':[{'name':'a','resources':"
                        + "{'requests':{'ephemeral-storage':'1Gi'}}}]}}"))
        .hasMessageContaining("spec: Forbidden: only cpu and memory resources are mutable");
    assertThatThrownBy(
            () ->
                patch(
                    "resize",
                    "{'spec':{'containers':[{'name':'a','resources':{'requests':{'cpu':null}}}]}}"))
        .hasMessageContaining(
            "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed");
  }

  @Test
  void aDebuggerCannotChangeTheMetadata() {
    patch(
        "ephemeralcontainers",
        "{'metadata':{'labels':{'x':'y'},'annotations':{'x':'y'}},"
            + "'spec':{'ephemeralContainers':[{'name':'d','image':'d:1'}]}}");

    assertThat(pod().at("/spec/ephemeralContainers/0/name").asText()).isEqualTo("d");
    assertThat(pod().path("metadata").has("labels")).isFalse();
    assertThat(pod().path("metadata").has("annotations")).isFalse();
  }

  @Test
  void anAppliedFieldThatIsGivenTwiceIsTold() {
    PatchBody twice =
        new PatchBody(
            PatchBody.Type.APPLY,
            json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}"),
            List.of("metadata.name"));
    RequestTarget target = fixture.target("pods", "p", "");
    verbs.applier().apply(target, twice, options("fieldManager=m"));
    assertThat(target.warnings().texts()).containsExactly("duplicate field \"metadata.name\"");
    assertThatThrownBy(
            () ->
                verbs
                    .applier()
                    .apply(target, twice, options("fieldManager=m&fieldValidation=Strict")))
        .hasMessage(
            "error strict decoding YAML: strict decoding error: duplicate field"
                + " \"metadata.name\"");
  }

  private void bind(String name, String binding) {
    verbs
        .bindings()
        .bind(fixture.target("pods", name, "binding"), body(json(binding)), options(""));
  }

  private void evict(String eviction, String query) {
    verbs
        .evictions()
        .evict(
            fixture.target("pods", "p", "eviction"),
            body(json(eviction)),
            RequestQuery.parse(query),
            options(query));
  }

  private void patch(String subresource, String patch) {
    verbs
        .patcher()
        .patch(
            fixture.target("pods", "p", subresource),
            new PatchBody(PatchBody.Type.STRATEGIC, json(patch), List.of()),
            options(""));
  }

  private ObjectNode pod() {
    return fixture.store().get(fixture.target("pods", "p", "").kind(), "t", "p").value().tree();
  }

  private static WriteOptions options(String query) {
    return WriteOptions.parse(RequestQuery.parse(query), "test", "CreateOptions", false);
  }

  private static RequestBody body(ObjectNode tree) {
    return new RequestBody(tree, List.of());
  }

  private static ObjectNode json(String json) {
    return (ObjectNode)
        JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
