package dev.berth.agent.volumes.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.agent.volumes.mounts.FakeMounts;
import dev.berth.agent.volumes.payloads.FakeSources;
import dev.berth.agent.volumes.types.HugePages;
import dev.berth.agent.volumes.types.VolumeDirectories;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostVolumesTest {
  @TempDir private Path directory;
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final FakeSources sources = new FakeSources(time);
  private final FakeMounts mounts = new FakeMounts();
  private HostVolumes volumes;

  @BeforeEach
  void open() throws Exception {
    volumes =
        HostVolumes.open(
            new VolumeDirectories(directory.resolve("pods"), directory.resolve("memory")),
            sources,
            sources,
            mounts,
            _ -> 5000,
            time);
  }

  /// A pod with these volumes, and a container that mounts `v` at `/v`.
  private static Pod pod(String volumes, String mount) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: n, uid: uid-1}
        spec:
          containers:
          - name: c
            volumeMounts: [{name: v, mountPath: /v%s}]
          volumes: [%s]
        """
            .formatted(mount, volumes),
        Pod.class);
  }

  private Path mounted(Pod pod) {
    volumes.prepare(pod);
    return Path.of(
        volumes.mounts(pod, pod.getSpec().getContainers().getFirst()).getFirst().hostPath());
  }

  @Test
  void configMapsBecomeFilesThatChangeAtOnce() throws Exception {
    sources.configMaps.put("m", Map.of("a", "1", "b", "2"));
    Pod pod = pod("{name: v, configMap: {name: m, defaultMode: 0440}}", "");

    Path mounted = mounted(pod);

    assertThat(mounted.resolve("a")).hasContent("1").isSymbolicLink();
    assertThat((Integer) Files.getAttribute(mounted.resolve("a"), "unix:mode") & 0777)
        .isEqualTo(0440);
    assertThat(volumes.refresh(pod, volumes.round())).isEmpty();
    sources.configMaps.put("m", Map.of("a", "3", "c", "4"));
    assertThat(volumes.refresh(pod, volumes.round())).containsExactly("v");
    assertThat(mounted.resolve("a")).hasContent("3");
    assertThat(mounted.resolve("c")).hasContent("4");
    assertThat(Files.exists(mounted.resolve("b"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    try (var all = Files.list(mounted)) {
      assertThat(all).as("only the newest version is kept").hasSize(4);
    }
  }

  @Test
  void whatNeverWasThereIsNotRenewed() {
    Pod pod = pod("{name: v, configMap: {name: later}}, {name: w, nfs: {server: s, path: /}}", "");
    assertThatThrownBy(() -> volumes.prepare(pod)).isInstanceOf(VolumeException.class);

    assertThat(volumes.refresh(pod, volumes.round())).isEmpty();

    sources.configMaps.put("later", Map.of("a", "1"));
    assertThat(volumes.refresh(pod, volumes.round()))
        .as("it comes with the pod's next attempt")
        .isEmpty();
  }

  @Test
  void whatBelongsToAGroupStaysSoWhenNothingChanges() throws Exception {
    sources.configMaps.put("m", Map.of("a", "1"));
    Pod pod = pod("{name: v, configMap: {name: m}}", "");
    int own = (Integer) Files.getAttribute(directory, "unix:gid");
    pod.getSpec()
        .setSecurityContext(new PodSecurityContextBuilder().withFsGroup((long) own).build());
    Path mounted = mounted(pod);

    assertThat(volumes.refresh(pod, volumes.round())).isEmpty();

    assertThat((Integer) Files.getAttribute(mounted, "unix:mode") & 07777).isEqualTo(02775);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "configMap: {name: m}; true",
        "secret: {secretName: s}; true",
        "downwardAPI: {items: []}; true",
        "projected: {sources: [{configMap: {name: m}}]}; true",
        "emptyDir: {}; false",
        "hostPath: {path: /}; false",
      })
  void whatTheApiSaysIsNotTheContainersToChange(String volume, boolean isReadOnly) {
    sources.configMaps.put("m", Map.of("a", "1"));
    sources.secrets.put("s", Map.of("a", "1"));
    Pod pod = pod("{name: v, %s}".formatted(volume), ", readOnly: false");
    volumes.prepare(pod);

    assertThat(volumes.mounts(pod, pod.getSpec().getContainers().getFirst()))
        .extracting(VolumeMounting::readOnly)
        .containsExactly(isReadOnly);
  }

  @Test
  void keysGoToTheirPaths() {
    sources.secrets.put("s", Map.of("user", "me", "key", "x"));
    Pod pod =
        pod(
            "{name: v, secret: {secretName: s, items: [{key: user, path: deep/name, mode: 0400}]}}",
            "");

    Path mounted = mounted(pod);

    assertThat(mounted.resolve("deep/name")).hasContent("me");
    assertThat(mounted.resolve("key")).doesNotExist();
    assertThat(mounted).startsWith(directory.resolve("memory"));
  }

  @Test
  void everythingThatIsMissingIsToldAtOnce() {
    sources.configMaps.put("m", Map.of("a", "1"));
    sources.secrets.put("s", Map.of("b", "1", "c", "2"));
    Pod pod =
        pod(
            """
            {name: v, configMap: {name: none}}, {name: w, secret: {secretName: none}},
            {name: x, configMap: {name: m, items: [{key: z, path: z}]}},
            {name: y, secret: {secretName: s, items: [{key: z, path: z}]}},
            {name: o, configMap: {name: none, optional: true}}, {name: n, nfs: {path: /, server: s}}""",
            "");

    assertThatThrownBy(() -> volumes.prepare(pod))
        .hasMessage(
            "MountVolume.SetUp failed for volume \"v\" : configmap \"none\" not found; "
                + "MountVolume.SetUp failed for volume \"w\" : secret \"none\" not found; "
                + "MountVolume.SetUp failed for volume \"x\" : references non-existent config key: z"
                + " (configmap \"m\" has [a]); "
                + "MountVolume.SetUp failed for volume \"y\" : references non-existent secret key: z"
                + " (secret \"s\" has [b, c]); "
                + "MountVolume.SetUp failed for volume \"n\" : volume \"n\" of pod n/p cannot be mounted:"
                + " the agent does not serve volumes of its type. Use one of emptyDir, hostPath,"
                + " configMap, secret, downwardAPI, projected");
  }

  @Test
  void projectedVolumesHoldTokensThatAreRenewed() throws Exception {
    sources.configMaps.put("kube-root-ca.crt", Map.of("ca.crt", "pem"));
    Pod pod =
        pod(
            """
            {name: v, projected: {sources: [
              {serviceAccountToken: {path: token, expirationSeconds: 3600, audience: us}},
              {configMap: {name: kube-root-ca.crt}},
              {downwardAPI: {items: [{path: namespace, fieldRef: {fieldPath: metadata.namespace}}]}}]}}""",
            "");

    Path mounted = mounted(pod);

    assertThat(mounted.resolve("token")).hasContent("token-1-for-us");
    assertThat(mounted.resolve("ca.crt")).hasContent("pem");
    assertThat(mounted.resolve("namespace")).hasContent("metadata.namespace of p");
    time.advance(Duration.ofMinutes(47));
    assertThat(volumes.refresh(pod, volumes.round())).isEmpty();
    time.advance(Duration.ofMinutes(2));
    assertThat(volumes.refresh(pod, volumes.round())).containsExactly("v");
    assertThat(mounted.resolve("token")).hasContent("token-2-for-us");
  }

  @Test
  void emptyDirectoriesAreForEverybodyAndGoWithThePod() throws Exception {
    Pod pod = pod("{name: v, emptyDir: {}}", "");
    Path mounted = mounted(pod);
    Files.writeString(mounted.resolve("file"), "kept");

    volumes.prepare(pod);
    assertThat(mounted.resolve("file")).hasContent("kept");
    assertThat((Integer) Files.getAttribute(mounted, "unix:mode") & 0777).isEqualTo(0777);

    volumes.remove(pod);
    volumes.remove(pod);
    assertThat(mounted).doesNotExist();
  }

  @Test
  void partsOfVolumesAreMadeButNeverLeadOut() throws Exception {
    Pod pod = pod("{name: v, emptyDir: {}}", ", subPath: a/b");
    Path part = mounted(pod);
    assertThat(part).isDirectory().endsWith(Path.of("a/b"));

    Files.delete(part);
    Files.createSymbolicLink(part, Path.of("/etc"));
    String refusal =
        "failed to prepare subPath for volumeMount \"v\" of container \"c\":"
            + " the path leads out of the volume";
    assertThatThrownBy(() -> mounted(pod)).hasMessage(refusal);
    Pod dots = pod("{name: v, emptyDir: {}}", ", subPath: ../../x");
    assertThatThrownBy(() -> mounted(dots)).hasMessage(refusal);
  }

  @Test
  void whatTheHostSaysOfItsDirectoriesIsNotForUsers() throws Exception {
    Pod whole = pod("{name: v, emptyDir: {}}", "");
    Files.writeString(mounted(whole).resolve("file"), "");
    Pod pod = pod("{name: v, emptyDir: {}}", ", subPath: file/part");

    assertThatThrownBy(() -> mounted(pod))
        .hasMessage("failed to prepare subPath for volumeMount \"v\" of container \"c\"");
  }

  @Test
  void partsThatAreMadeAreAsOpenAsTheirVolume() throws Exception {
    Pod pod = pod("{name: v, emptyDir: {}}", ", subPath: a/b");
    Path part = mounted(pod);
    Path root = directory.resolve("pods/uid-1/volumes/kubernetes.io~empty-dir/v").toRealPath();
    assertThat(mode(part)).isEqualTo(0777);
    assertThat(mode(root.resolve("a"))).isEqualTo(0777);

    Files.setAttribute(root, "unix:mode", 02770);
    Files.delete(part);
    mounted(pod);
    assertThat(mode(part)).isEqualTo(02770);
    assertThat(Files.getAttribute(part, "unix:gid"))
        .isEqualTo(Files.getAttribute(root, "unix:gid"));
  }

  private static int mode(Path path) throws Exception {
    return (Integer) Files.getAttribute(path, "unix:mode") & 07777;
  }

  @Test
  void allThatIsMissingInOneVolumeIsToldAtOnce() {
    sources.configMaps.put("m", Map.of("a", "1"));
    Pod pod =
        pod(
            """
            {name: v, projected: {sources: [{configMap: {name: none}}, {configMap: {name: m}},
              {secret: {name: gone}}]}}""",
            "");

    assertThatThrownBy(() -> volumes.prepare(pod))
        .hasMessage(
            "MountVolume.SetUp failed for volume \"v\" : "
                + "configmap \"none\" not found, secret \"gone\" not found");
  }

  @Test
  void oneSourceThatIsGoneDoesNotKeepTheOthersFromBeingRenewed() {
    sources.configMaps.put("m", Map.of("a", "1"));
    sources.configMaps.put("n", Map.of("b", "1"));
    Pod pod = pod("{name: w, configMap: {name: m}}, {name: v, configMap: {name: n}}", "");
    Path mounted = mounted(pod);

    sources.configMaps.remove("m");
    sources.configMaps.put("n", Map.of("b", "2"));

    assertThatThrownBy(() -> volumes.refresh(pod, volumes.round()))
        .hasMessage("MountVolume.SetUp failed for volume \"w\" : configmap \"m\" not found");
    assertThat(mounted.resolve("b")).hasContent("2");
  }

  @Test
  void aPodThatIsRemovedMeanwhileGetsNothingBack() {
    Pod pod = pod("{name: v, configMap: {name: m}}", "");
    sources.configMaps.put("m", Map.of("a", "1"));
    Path mounted = mounted(pod);
    sources.whenRead = () -> volumes.remove(pod);

    assertThatThrownBy(() -> volumes.refresh(pod, volumes.round()))
        .hasMessageContaining("NoSuchFile");
    assertThat(mounted).doesNotExist();
  }

  @Test
  void directoriesInMemoryAreNoLargerThanTheirPodAndMadeAnewAfterAReboot() throws Exception {
    Path small = mounted(pod("{name: v, emptyDir: {medium: Memory, sizeLimit: 1Ki}}", ""));
    assertThat(mounts.sizes).containsEntry(small, 1024L);
    volumes.remove(pod("", ""));

    Pod pod = pod("{name: v, emptyDir: {medium: Memory}}", "");
    Path mounted = mounted(pod);
    assertThat(mounts.sizes).containsEntry(mounted, 5000L);
    Files.setAttribute(mounted, "unix:mode", 0700);
    mounted(pod);
    assertThat(mode(mounted)).as("as the pod made it").isEqualTo(0700);

    mounts.sizes.clear();
    mounted(pod);
    assertThat(mode(mounted)).isEqualTo(0777);
  }

  @Test
  void hugePagesAreOfTheSizeThatThePodAsksFor() {
    Pod pod = pod("{name: v, emptyDir: {medium: HugePages-2Mi}}", "");
    assertThatThrownBy(() -> mounted(pod))
        .hasMessageContaining("no container of the pod requests such pages (requested: none)");

    Quantity one = new Quantity("2Mi");
    var resources = new ResourceRequirementsBuilder().addToLimits("hugepages-2Mi", one);
    pod.getSpec().getContainers().getFirst().setResources(resources.build());
    assertThat(mounts.sizes).containsEntry(mounted(pod), 2L << 20);
    assertThat(HugePages.size(pod, "HugePages")).isEqualTo(2 << 20);

    pod.getSpec()
        .getContainers()
        .getFirst()
        .setResources(resources.addToLimits("hugepages-1Gi", one).build());
    assertThatThrownBy(() -> HugePages.size(pod, "HugePages"))
        .hasMessageContaining("several page sizes (requested: 1Gi, 2Mi)");
    assertThat(HugePages.size(pod, "HugePages-1Gi")).isEqualTo(1 << 30);
  }

  @Test
  void pathsOfTheNodeAreWhatThePodSays() throws Exception {
    Path file = Files.writeString(directory.resolve("f"), "");
    String volume = "{name: v, hostPath: {path: %s, type: %s}}";

    assertThat(mounted(pod(volume.formatted(file, "File"), ""))).isEqualTo(file);
    Path made = directory.resolve("made");
    assertThat(mounted(pod(volume.formatted(made, "DirectoryOrCreate"), ""))).isDirectory();
    assertThatThrownBy(() -> mounted(pod(volume.formatted(file, "Directory"), "")))
        .hasMessageContaining("hostPath type check failed: %s is not a directory".formatted(file));
    assertThatThrownBy(() -> mounted(pod(volume.formatted(file, "Socket"), "")))
        .hasMessageContaining("is not a socket file");
  }

  @Test
  void aDirectoryThatGrowsBeyondItsLimitIsNoticed() throws Exception {
    Pod pod = pod("{name: v, emptyDir: {sizeLimit: 1Mi}}", "");
    Path place = mounted(pod);

    Files.createDirectories(place.resolve("a/b"));
    Files.write(place.resolve("a/b/half"), new byte[600 << 10]);
    assertThat(volumes.excess(pod)).isEmpty();
    Files.createLink(place.resolve("the-same"), place.resolve("a/b/half"));
    assertThat(volumes.excess(pod)).as("a second name takes nothing").isEmpty();
    Files.write(place.resolve("other-half"), new byte[600 << 10]);
    assertThat(volumes.excess(pod))
        .contains("Usage of EmptyDir volume \"v\" exceeds the limit \"1Mi\". ");
    assertThat(volumes.excess(pod("{name: w, emptyDir: {}}", ""))).isEmpty();
  }

  @Test
  void whatIsNotServedIsRefused() {
    assertThatThrownBy(() -> mounted(pod("{name: v, emptyDir: {medium: Tape}}", "")))
        .hasMessageContaining("emptyDir medium \"Tape\" is not supported");
  }
}
