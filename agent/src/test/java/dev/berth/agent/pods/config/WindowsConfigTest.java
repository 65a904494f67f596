package dev.berth.agent.pods.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.images.ImageFacts;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.WindowsContainerResources;
import dev.berth.cri.v1.WindowsSandboxSecurityContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WindowsConfigTest {
  private static final NodeSettings NODE =
      NodeSettings.of("win-1", List.of("192.0.2.7"), Path.of("/agent"))
          .with(new NodeCapacity(4000, 8L << 30, 0));
  private static final WindowsPlatform WINDOWS = new WindowsPlatform(NODE);

  @Test
  void nothingOfLinuxIsInASandboxAndNoGroupOfProcesses() {
    PodSandboxConfig config =
        sandbox(
            """
            overhead: {cpu: 250m, memory: 120Mi}
            securityContext:
              windowsOptions: {runAsUserName: NT AUTHORITY\\NETWORK SERVICE, gmsaCredentialSpec: '{}'}
            containers: [{name: a}]
            """);

    assertThat(config.hasLinux()).isFalse();
    WindowsSandboxSecurityContext context = config.getWindows().getSecurityContext();
    assertThat(context.getRunAsUsername()).isEqualTo("NT AUTHORITY\\NETWORK SERVICE");
    assertThat(context.getCredentialSpec()).isEqualTo("{}");
    assertThat(context.getHostProcess()).isFalse();
    assertThat(context.getNamespaceOptions().getNetwork()).isEqualTo(NamespaceMode.POD);
  }

  @Test
  void whatAContainerSaysOfItsUserIsStrongerThanWhatItsPodSays() {
    ContainerConfig config =
        container(
            """
            securityContext:
              windowsOptions: {runAsUserName: ContainerUser, gmsaCredentialSpec: of-pod}
            containers:
            - name: a
              securityContext: {windowsOptions: {runAsUserName: ContainerAdministrator}}
            """);

    assertThat(config.hasLinux()).isFalse();
    var context = config.getWindows().getSecurityContext();
    assertThat(context.getRunAsUsername()).isEqualTo("ContainerAdministrator");
    assertThat(context.getCredentialSpec()).isEqualTo("of-pod");
  }

  @Test
  void aPodIsOfTheHostWithAllItsContainersOrWithNone() {
    PodSandboxConfig config =
        sandbox(
            """
            hostNetwork: true
            securityContext: {windowsOptions: {hostProcess: true}}
            containers: [{name: a}, {name: b}]
            """);

    WindowsSandboxSecurityContext context = config.getWindows().getSecurityContext();
    assertThat(context.getHostProcess()).isTrue();
    assertThat(context.getNamespaceOptions().getNetwork()).isEqualTo(NamespaceMode.NODE);
    assertThatThrownBy(
            () ->
                sandbox(
                    """
                    containers:
                    - {name: a, securityContext: {windowsOptions: {hostProcess: true}}}
                    - {name: b}
                    """))
        .isInstanceOf(ConfigException.class)
        .hasMessage("pod must not contain both HostProcess and non-HostProcess containers");
  }

  @ParameterizedTest
  @CsvSource({
    "500, 4, 1250",
    "1000, 2, 5000",
    "94000, 96, 9791",
    "1, 64, 1",
    "8000, 4, 10000",
  })
  void aLimitIsAPartOfAllProcessors(long milli, long processors, long expected) {
    assertThat(WindowsResources.maximum(milli, processors)).isEqualTo(expected);
  }

  @Test
  void onlyLimitsCount() {
    WindowsContainerResources limited =
        container(
                """
                containers:
                - name: a
                  resources:
                    requests: {cpu: 250m, memory: 64Mi}
                    limits: {cpu: 500m, memory: 128Mi}
                """)
            .getWindows()
            .getResources();

    assertThat(limited)
        .isEqualTo(
            WindowsContainerResources.newBuilder()
                .setCpuMaximum(1250)
                .setMemoryLimitInBytes(128L << 20)
                .build());
    assertThat(
            container("containers: [{name: a, resources: {requests: {cpu: 1, memory: 1Gi}}}]")
                .getWindows()
                .getResources())
        .isEqualTo(WindowsContainerResources.getDefaultInstance());
  }

  @Test
  void resourcesAreChangedInTheWordsOfWindows() {
    Pod pod = pod("containers: [{name: a, resources: {limits: {cpu: 1}}}]");

    var request = WINDOWS.resize("id", pod, pod.getSpec().getContainers().getFirst());

    assertThat(request.hasLinux()).isFalse();
    assertThat(request.getWindows().getCpuMaximum()).isEqualTo(2500);
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/termination-log, c:/dev/termination-log",
    "data, c:\\data",
    "\\data, c:\\data",
    "D:\\data, D:\\data",
  })
  void pathsHaveADrive(String path, String expected) {
    assertThat(WINDOWS.containerPath(path)).isEqualTo(expected);
  }

  private static PodSandboxConfig sandbox(String spec) {
    return new SandboxConfigs(NODE, WINDOWS).of(pod(spec), 0);
  }

  private static ContainerConfig container(String spec) {
    Pod pod = pod(spec);
    ContainerConfig.Builder config = ContainerConfig.newBuilder();
    WINDOWS.fill(
        config,
        pod,
        new ContainerPlace(
            pod.getSpec().getContainers().getFirst(), null, ImageFacts.of("servercore")));
    return config.build();
  }

  private static Pod pod(String spec) {
    try {
      return new PodBuilder()
          .withNewMetadata()
          .withName("web")
          .withNamespace("default")
          .withUid("uid-1")
          .endMetadata()
          .withSpec(new YAMLMapper().readValue(spec, PodSpec.class))
          .build();
    } catch (IOException e) {
      throw new IllegalArgumentException(spec, e);
    }
  }
}
