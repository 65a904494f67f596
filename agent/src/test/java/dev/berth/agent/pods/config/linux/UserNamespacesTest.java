package dev.berth.agent.pods.config.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.ContainerConfigs;
import dev.berth.agent.pods.config.ContainerContext;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.config.TestConfigs;
import dev.berth.agent.pods.config.TestConfigs.FixedReferences;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.IDMapping;
import dev.berth.cri.v1.Mount;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UserNamespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UserNamespacesTest {
  private static final String SPEC = "{hostUsers: false, containers: [{name: a}]}";

  @TempDir private Path directory;

  @Test
  void everyPodHasIdsOfItsOwnAlsoAfterARestart() throws IOException {
    assertThat(first(new UserNamespaces(directory), "a")).isEqualTo(65_536);
    assertThat(first(new UserNamespaces(directory), "b")).isEqualTo(131_072);
    assertThat(first(new UserNamespaces(directory), "a")).isEqualTo(65_536);
    assertThat(directory.resolve("a/userns"))
        .hasContent(
            "{\"uidMappings\":[{\"hostId\":65536,\"containerId\":0,\"length\":65536}],"
                + "\"gidMappings\":[{\"hostId\":65536,\"containerId\":0,\"length\":65536}]}");

    VolumeTrees.delete(directory.resolve("a"));
    assertThat(first(new UserNamespaces(directory), "c")).as("free again").isEqualTo(65_536);
  }

  @Test
  void whatIsNotKnownIsNotGivenTwice() throws IOException {
    Files.createDirectories(directory.resolve("torn"));
    Files.writeString(directory.resolve("torn/userns"), "{}");

    assertThatThrownBy(() -> first(new UserNamespaces(directory), "a"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("torn/userns does not contain the pod's id range");
  }

  @Test
  void sandboxContainersAndMountsAreMapped() {
    NodeSettings node = NodeSettings.of("node-1", List.of(), directory);
    Pod pod = TestConfigs.pod(SPEC);
    LinuxPlatform platform = new LinuxPlatform(node);
    PodSandboxConfig sandbox = new SandboxConfigs(node, platform).of(pod, 0);
    ContainerConfig container =
        new ContainerConfigs(node, platform, new FixedReferences())
            .of(
                pod,
                new ContainerContext(
                    pod.getSpec().getContainers().getFirst(),
                    null,
                    ImageDescription.of("sha256:1"),
                    ServiceHandler.named("runc")),
                0,
                List.of(),
                List.of(Mount.newBuilder().setContainerPath("/data").build()));

    IDMapping ids = IDMapping.newBuilder().setHostId(65_536).setLength(65_536).build();
    UserNamespace own =
        UserNamespace.newBuilder().setMode(NamespaceMode.POD).addUids(ids).addGids(ids).build();
    assertThat(sandbox.getLinux().getSecurityContext().getNamespaceOptions().getUsernsOptions())
        .isEqualTo(own);
    assertThat(container.getLinux().getSecurityContext().getNamespaceOptions().getUsernsOptions())
        .isEqualTo(own);
    assertThat(container.getMounts(0).getUidMappingsList()).containsExactly(ids);
    assertThat(container.getMounts(0).getGidMappingsList()).containsExactly(ids);
  }

  @Test
  void whoSharesTheUsersOfTheNodeGetsNothing() {
    assertThat(new UserNamespaces(directory).of(TestConfigs.pod("{hostUsers: true}"))).isEmpty();
    assertThat(new UserNamespaces(directory).of(TestConfigs.pod("{}"))).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  private static int first(UserNamespaces namespaces, String uid) {
    Pod pod =
        new PodBuilder(TestConfigs.pod(SPEC)).editMetadata().withUid(uid).endMetadata().build();
    return namespaces.of(pod).orElseThrow().getUids(0).getHostId();
  }
}
