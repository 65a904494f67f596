package dev.berth.server.admission.images;

import static dev.berth.server.admission.Writes.ADMIN;
import static dev.berth.server.admission.Writes.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.Writes;
import dev.berth.server.admission.runtimeclass.FakeCatalog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which pods are steered, and how.
final class ImageSteeringTest {
  private static final Duration LIMIT = Duration.ofMillis(200);

  private final FakeCatalog catalog = new FakeCatalog();
  private final List<ImageRequest> asked = new CopyOnWriteArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final CountDownLatch stalled = new CountDownLatch(1);
  private final ImageLookups lookups =
      new ImageLookups(this::answer, LIMIT, System::nanoTime, () -> {});
  private SteeringSettings settings = new SteeringSettings(SteeringMode.OFF, LIMIT, false);

  ImageSteeringTest() {
    namespace("select");
    node("amd", "linux", "amd64", "");
    node("arm", "linux", "arm64", "");
  }

  @AfterEach
  void close() {
    stalled.countDown();
    lookups.close();
  }

  @Test
  void podIsNarrowedToTheNodesThatRunItsImage() {
    ObjectNode pod = admit("'containers':[{'image':'linux-arm64'}]");

    assertThat(pod.at("/spec/nodeSelector")).isEqualTo(json("{'kubernetes.io/arch':'arm64'}"));
    assertThat(pod.path("metadata").path("annotations").path(ImageSteering.STEERED).asText())
        .isEqualTo("nodeSelector kubernetes.io/arch=arm64");
  }

  @Test
  void allImagesOfThePodCount() {
    ObjectNode pod =
        admit(
            "'initContainers':[{'image':'linux-amd64'}],"
                + "'containers':[{'image':'linux-amd64_linux-arm64'}]");

    assertThat(pod.at("/spec/nodeSelector")).isEqualTo(json("{'kubernetes.io/arch':'amd64'}"));
  }

  @Test
  void podThatRunsEverywhereIsLeftAlone() {
    assertThat(admit("'containers':[{'image':'linux-amd64_linux-arm64'}]").at("/spec/nodeSelector"))
        .isEmpty();
  }

  @Test
  void podThatNoNodeRunsIsRefused() {
    assertThatThrownBy(() -> admit("'containers':[{'image':'linux-s390x'}]"))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: image linux-s390x:latest has no entry for"
                + " linux/amd64 or linux/arm64; it has linux/s390x; no node and no RuntimeClass of"
                + " the cluster could run it");
  }

  @Test
  void classIsChosenOrNamed() {
    catalog.with("emulated", "");
    node("emu", "linux", "amd64", "'handlers':['emulated'],'platforms':{'emulated':'linux/s390x'}");

    assertThat(
            admit("'containers':[{'image':'linux-s390x'}]").at("/spec/runtimeClassName").asText())
        .isEqualTo("emulated");

    namespace("refuse");
    assertThatThrownBy(() -> admit("'containers':[{'image':'linux-s390x'}]"))
        .hasMessageContaining(
            "; it has linux/s390x; RuntimeClass emulated on node emu could run linux/s390x");
  }

  @Test
  void classOfOtherNamespacesIsNotChosen() {
    catalog.with("emulated", "'runtimeclass.berth.dev/allowed-namespaces':'other'");
    node("emu", "linux", "amd64", "'handlers':['emulated'],'platforms':{'emulated':'linux/s390x'}");

    assertThatThrownBy(() -> admit("'containers':[{'image':'linux-s390x'}]"))
        .hasMessageContaining("; no node and no RuntimeClass of the cluster could run it");
  }

  @Test
  void refusingNamespaceChangesNoPod() {
    namespace("refuse");

    assertThat(admit("'containers':[{'image':'linux-arm64'}]").at("/spec/nodeSelector")).isEmpty();
    assertThatThrownBy(() -> admit("'containers':[{'image':'linux-s390x'}]"))
        .hasMessageContaining("has no entry");
  }

  @Test
  void podsOfOtherKindsAndNamespacesAreNotLookedUp() {
    admit("'virtualMachine':{},'containers':[{'image':'linux-s390x'}]");
    namespace("off");
    admit("'containers':[{'image':'linux-s390x'}]");
    admit("'containers':[{'image':'linux-s390x','imagePullPolicy':'Never'}]");

    assertThat(asked).isEmpty();
  }

  @Test
  void podThatNamesANodeIsRefusedWhenThatDoesNotRunItsImage() {
    admit("'nodeName':'arm','containers':[{'image':'linux-arm64'}]");
    // Nobody knows what a node runs that does not exist yet.
    admit("'nodeName':'new','containers':[{'image':'linux-s390x'}]");

    assertThatThrownBy(() -> admit("'nodeName':'amd','containers':[{'image':'linux-arm64'}]"))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: image linux-arm64:latest has no entry for"
                + " linux/amd64; it has linux/arm64; node arm could run linux/arm64, which the"
                + " pod's node name, node selector, affinity or system excludes");
  }

  @Test
  void handlerOfTheNamedNodeCounts() {
    catalog.with("emulated", "");
    node("emu", "linux", "amd64", "'handlers':['emulated'],'platforms':{'emulated':'linux/s390x'}");

    admit("'nodeName':'emu','runtimeClassName':'emulated','containers':[{'image':'linux-s390x'}]");
    assertThat(
            admit("'nodeName':'emu','containers':[{'image':'linux-s390x'}]")
                .at("/spec/runtimeClassName")
                .asText())
        .isEqualTo("emulated");
    assertThatThrownBy(
            () ->
                admit(
                    "'nodeName':'emu','runtimeClassName':'emulated','containers':[{'image':'linux-amd64'}]"))
        .hasMessageContaining(
            "image linux-amd64:latest has no entry for linux/s390x; it has linux/amd64; node emu"
                + " could run linux/amd64");
  }

  @Test
  void podThatNamesAServiceIsSteeredByWhatThatServiceRuns() {
    node(
        "emu",
        "linux",
        "amd64",
        "'handlers':[]}, 'box':{'workloadType':'container','handlers':[],"
            + "'platforms':{'':'linux/s390x'}");
    node(
        "two", "linux", "arm64", "'handlers':[]}, 'box':{'workloadType':'container','handlers':[]");
    String box = "'runtimeServiceName':'box','containers':[{'image':'%s'}]";

    assertThat(admit(box.formatted("linux-s390x")).at("/spec/nodeSelector"))
        .isEqualTo(json("{'kubernetes.io/arch':'amd64'}"));
    assertThatThrownBy(() -> admit(box.formatted("linux-amd64")))
        .hasMessageContaining(
            "image linux-amd64:latest has no entry for linux/arm64 or linux/s390x; it has"
                + " linux/amd64; no node and no RuntimeClass");
    assertThat(
            admit(
                    "'runtimeServiceName':'default','containers':[{'image':'linux-s390x_linux-arm64'}]")
                .at("/spec/nodeSelector"))
        .isEqualTo(json("{'kubernetes.io/arch':'arm64'}"));
  }

  @Test
  void changedImageOfAWaitingPodIsLookedUp() {
    ObjectNode old = admit("'containers':[{'image':'linux-amd64_linux-arm64'}]");

    ObjectNode same = update(old, "linux-amd64_linux-arm64");
    assertThat(platforms(same)).isEqualTo(platforms(old));
    assertThat(asked).hasSize(1);
    assertThat(platforms(update(old, "linux-arm64")))
        .isEqualTo("{\"linux-arm64:latest\":[\"linux/arm64\"]}");
    assertThat(platforms(update(old, "slow.example.com/stall"))).isEmpty();
    assertThatThrownBy(() -> update(old, "linux-s390x"))
        .hasMessageContaining("has no entry for linux/amd64 or linux/arm64");
  }

  @Test
  void changedImageMustRunWhereThePodWasSteeredTo() {
    ObjectNode steered = admit("'containers':[{'image':'linux-arm64'}]");
    assertThatThrownBy(() -> update(steered, "linux-amd64"))
        .hasMessageContaining(
            "has no entry for linux/arm64; it has linux/amd64; node amd could run linux/amd64,"
                + " which the pod's node name, node selector, affinity or system excludes");

    ObjectNode bound = steered.deepCopy();
    bound.withObject("/spec").put("nodeName", "arm");
    assertThatThrownBy(() -> update(bound, "linux-amd64"))
        .hasMessageContaining("has no entry for linux/arm64");
    update(bound, "linux-arm64_linux-amd64");
  }

  private ObjectNode update(ObjectNode old, String image) {
    ObjectNode pod = old.deepCopy();
    ((ObjectNode) pod.at("/spec/containers/0")).put("image", image);
    steering()
        .mutate(
            new AdmissionAttributes(
                Operation.UPDATE,
                Writes.PODS,
                "",
                "t1",
                "p",
                pod,
                old,
                ADMIN,
                false,
                warnings::add,
                (_, _) -> {}));
    return pod;
  }

  @Test
  void platformsAreLeftForTheScheduler() {
    catalog.with("kata", "");
    for (String own :
        List.of(
            "'x':1", "'runtimeClassName':'kata'", "'nodeSelector':{'kubernetes.io/os':'linux'}")) {
      ObjectNode pod = admit(own + ",'containers':[{'image':'linux-amd64_linux-arm64'}]");

      assertThat(platforms(pod))
          .isEqualTo("{\"linux-amd64_linux-arm64:latest\":[\"linux/amd64\",\"linux/arm64\"]}");
    }
    // Nothing is chosen for a pod that chose itself, even if no node runs it.
    ObjectNode chosen = admit("'runtimeClassName':'kata','containers':[{'image':'linux-s390x'}]");
    assertThat(chosen.at("/spec/nodeSelector").isMissingNode()).isTrue();
    assertThat(platforms(chosen)).isEqualTo("{\"linux-s390x:latest\":[\"linux/s390x\"]}");
  }

  @Test
  void platformsThatAUserWroteAreReplaced() {
    ObjectNode forged = json("{'berth.dev/image-platforms':'{}'}");
    assertThat(platforms(admit("'containers':[{'image':'linux-amd64'}]", forged)))
        .isEqualTo("{\"linux-amd64:latest\":[\"linux/amd64\"]}");
    assertThat(platforms(admit("'containers':[{'image':'slow.example.com/stall'}]", forged)))
        .isEmpty();
  }

  private static String platforms(ObjectNode pod) {
    return pod.path("metadata").path("annotations").path("berth.dev/image-platforms").asText("");
  }

  @Test
  void serverDecidesForNamespacesWithoutALabel() {
    namespace("");
    admit("'containers':[{'image':'linux-s390x'}]");
    assertThat(asked).isEmpty();

    settings = new SteeringSettings(SteeringMode.REFUSE, LIMIT, false);
    assertThatThrownBy(() -> admit("'containers':[{'image':'linux-s390x'}]"))
        .hasMessageContaining("has no entry");
  }

  @Test
  void pullSecretsAreUsed() {
    String auth = Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
    String config =
        Base64.getEncoder()
            .encodeToString(
                "{\"auths\":{\"docker.io\":{\"auth\":\"%s\"}}}"
                    .formatted(auth)
                    .getBytes(StandardCharsets.UTF_8));
    catalog.objects.put(
        "secrets",
        json(
            "{'metadata':{'name':'pull','namespace':'t1'},'data':{'.dockerconfigjson':'%s'}}"
                .formatted(config)));

    admit("'imagePullSecrets':[{'name':'pull'}],'containers':[{'image':'linux-arm64'}]");

    assertThat(asked.getFirst().credentials())
        .containsExactly(RegistryCredentials.of("ann", "secret"));
  }

  @Test
  void answersAreRememberedForTheSameCredentialsOnly() {
    admit("'containers':[{'image':'linux-arm64'}]");
    admit("'containers':[{'image':'linux-arm64'}]");

    assertThat(asked).hasSize(1);
  }

  @Test
  void stalledRegistryTakesNoLongerThanTheLimitAndIsThenLeftAlone() {
    long start = System.nanoTime();
    assertThat(admit("'containers':[{'image':'slow.example.com/stall'}]").at("/spec/nodeSelector"))
        .isEmpty();
    Duration first = Duration.ofNanos(System.nanoTime() - start);

    assertThat(first).isBetween(LIMIT, LIMIT.plusSeconds(5));
    assertThat(warnings)
        .containsExactly(
            "the pod is not steered by its images: registry slow.example.com did not answer for"
                + " image slow.example.com/stall:latest within 200ms");
    int lookupsBefore = asked.size();
    admit("'containers':[{'image':'slow.example.com/other'}]");
    assertThat(asked).hasSize(lookupsBefore);
    // Another registry is not concerned.
    assertThat(admit("'containers':[{'image':'linux-arm64'}]").at("/spec/nodeSelector"))
        .isNotEmpty();

    settings = new SteeringSettings(SteeringMode.OFF, LIMIT, true);
    assertThatThrownBy(() -> admit("'containers':[{'image':'slow.example.com/stall'}]"))
        .hasMessageContaining("pod rejected: the platforms of its images are unknown: registry");
  }

  @Test
  void misspelledLabelIsRefused() {
    assertThatThrownBy(
            () ->
                steering()
                    .validate(
                        Writes.create(
                            Writes.kind("namespaces"),
                            "",
                            json(
                                "{'metadata':{'name':'t','labels':{'images.berth.dev/steering':'on'}}}"))))
        .hasMessageContaining(
            "metadata.labels[images.berth.dev/steering]: Unsupported value: \"on\": supported"
                + " values: \"off\", \"refuse\", \"select\"");
  }

  /// The name says what the image has: `linux-arm64_linux-amd64`.
  private ImageIndex answer(ImageRequest request) {
    asked.add(request);
    String name = request.image().name().replaceFirst("library/", "");
    if (name.equals("stall")) {
      try {
        stalled.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    List<IndexEntry> entries = new ArrayList<>();
    for (String platform : name.split("_", -1)) {
      entries.add(
          new IndexEntry(
              "sha256:" + platform,
              "",
              1,
              ImagePlatform.parse(platform.replace('-', '/')).orElse(null),
              Map.of()));
    }
    return new ImageIndex(entries);
  }

  private ImageSteering steering() {
    return new ImageSteering(catalog.objects, catalog, settings, lookups);
  }

  private ObjectNode admit(String spec) {
    return admit(spec, json("{}"));
  }

  private ObjectNode admit(String spec, ObjectNode annotations) {
    ObjectNode pod = json("{'metadata':{'name':'p'},'spec':{" + spec + "}}");
    pod.withObject("/metadata").set("annotations", annotations.deepCopy());
    steering()
        .mutate(
            new AdmissionAttributes(
                Operation.CREATE,
                Writes.PODS,
                "",
                "t1",
                "p",
                pod,
                null,
                ADMIN,
                false,
                warnings::add,
                (_, _) -> {}));
    return pod;
  }

  private void namespace(String mode) {
    catalog.objects.put(
        "namespaces",
        json(
            "{'metadata':{'name':'t1','labels':{%s}}}"
                .formatted(mode.isEmpty() ? "" : "'images.berth.dev/steering':'" + mode + "'")));
  }

  private void node(String name, String os, String architecture, String service) {
    String report =
        service.isEmpty()
            ? "{}"
            : "{'main':{'workloadType':'container','default':true," + service + "}}";
    ObjectNode node =
        json(
            "{'metadata':{'name':'%s','labels':{'kubernetes.io/os':'%s','kubernetes.io/arch':'%s'}}}"
                .formatted(name, os, architecture));
    node.withObject("/metadata/annotations")
        .put("berth.dev/runtime-services", json(report).toString());
    catalog.withNode(node);
  }
}
