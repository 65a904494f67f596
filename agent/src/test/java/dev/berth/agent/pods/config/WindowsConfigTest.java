package dev.berth.agent.pods.config;

import static dev.berth.agent.pods.config.TestConfigs.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.config.windows.WindowsPlatform;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.agent.pods.config.windows.WindowsResources;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.WindowsContainerResources;
import dev.berth.cri.v1.WindowsSandboxSecurityContext;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WindowsConfigTest {
  private static final NodeSettings NODE =
      NodeSettings.of("win-1", List.of("192.0.2.7"), Path.of("/agent"))
          .with(new ContainerCapacity(4000, 8L << 30, 0));
  private static final ServiceHandler PROCESS = ServiceHandler.named("runhcs-wcow-process");
  private static final ServiceHandler HYPERV =
      ServiceHandler.named("ltsc2019").with(HandlerIsolation.HYPERV);
  private static final WindowsPlatform WINDOWS =
      new WindowsPlatform(NODE, WindowsProcessors.ALL_CONTROLS);

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0-3,8 | 0:10f", "63-64 | 0:8000000000000000 1:1", "66, 66 ,70-71 | 1:c4"})
  void processorsOfThePodAreMasksOfTheirGroups(String annotation, String masks) {
    assertThat(affinity(annotation, PROCESS)).isEqualTo(masks);
  }

  @Test
  void podWithoutProcessorsRunsOnAllOfThem() {
    assertThat(affinity("", PROCESS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | it must be a list of processors such as 0-3,8",
        "1, | it must be a list of processors such as 0-3,8",
        "3-1 | the node has the processors 0-127",
        "0-128 | the node has the processors 0-127",
      })
  void processorsThatTheNodeDoesNotHaveAreRefused(String annotation, String why) {
    assertThatThrownBy(() -> affinity(annotation, PROCESS))
        .isInstanceOf(ConfigException.class)
        .hasMessage("annotation berth.dev/windows-cpus is \"%s\": %s", annotation, why);
  }

  @Test
  void processorsUnderHyperVAreVirtual() {
    assertThatThrownBy(() -> affinity("0", HYPERV))
        .hasMessageContaining("the processors under Hyper-V isolation are virtual");
  }

  private static String affinity(String annotation, ServiceHandler handler) {
    Pod pod = pod("containers: [{name: a}]");
    if (!annotation.isEmpty()) {
      pod.getMetadata().setAnnotations(Map.of("berth.dev/windows-cpus", annotation));
    }
    return new WindowsResources(
            WindowsProcessors.ALL_CONTROLS, new ContainerCapacity(128_000, 8L << 30, 0))
        .of(pod, pod.getSpec().getContainers().getFirst(), handler).getAffinityCpusList().stream()
            .map(group -> group.getCpuGroup() + ":" + Long.toHexString(group.getCpuMask()))
            .collect(Collectors.joining(" "));
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

  @Test
  void anAdministratorIsRootForThePolicyOfNonRoot() {
    assertThatThrownBy(
            () ->
                container(
                    """
                    securityContext:
                      runAsNonRoot: true
                      windowsOptions: {runAsUserName: containeradministrator}
                    containers: [{name: a}]
                    """))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "container's runAsUser (containeradministrator) which will be regarded as root"
                + " identity and will break non-root policy");
    ContainerConfig allowed =
        container(
            """
            securityContext:
              runAsNonRoot: true
              windowsOptions: {runAsUserName: ContainerAdministrator}
            containers: [{name: a, securityContext: {runAsNonRoot: false}}]
            """);
    assertThat(allowed.getWindows().getSecurityContext().getRunAsUsername())
        .isEqualTo("ContainerAdministrator");
  }

  /// The table of the design, and its example: two processors at half of each.
  @ParameterizedTest
  @CsvSource({
    // limit, request, processors | count, shares, maximum of a process | under Hyper-V
    "500m, 250m, 4, 1, 1250, 1250, 5000",
    "1, 1, 4, 2, 2500, 2500, 5000",
    "1500m, '', 4, 2, 3750, 3750, 7500",
    "1, '', 2, 2, 5000, 5000, 5000",
    "94, '', 96, 95, 9791, 9791, 9894",
    "1m, '', 64, 1, 1, 1, 10",
    "4, '', 4, 4, 10000, 10000, 10000",
    "8, '', 4, 4, 10000, 10000, 10000",
    "'', 2, 4, 0, 5000, 0, 0",
    "'', '', 4, 0, 0, 0, 0",
  })
  void limitsAndRequestsBecomeCountWeightAndMaximum(
      String limit,
      String request,
      long processors,
      long count,
      long shares,
      long process,
      long hyperV) {
    Pod pod = pod(resources(limit, request));
    Container container = pod.getSpec().getContainers().getFirst();
    WindowsResources resources =
        new WindowsResources(
            WindowsProcessors.ALL_CONTROLS, new ContainerCapacity(processors * 1000, 1L << 40, 0));
    WindowsContainerResources.Builder expected =
        WindowsContainerResources.newBuilder().setCpuCount(count).setCpuShares(shares);

    assertThat(resources.of(pod, container, PROCESS))
        .isEqualTo(expected.setCpuMaximum(process).build());
    assertThat(resources.of(pod, container, HYPERV))
        .isEqualTo(expected.setCpuMaximum(hyperV).build());
    pod.getMetadata()
        .setAnnotations(Map.of("experimental.windows.kubernetes.io/isolation-type", "hyperv"));
    assertThat(resources.of(pod, container, ServiceHandler.named(""))).isEqualTo(expected.build());
  }

  @Test
  void theNameOfAHandlerSaysNothingAboutItsIsolation() {
    Pod pod = pod(resources("1", ""));
    Container container = pod.getSpec().getContainers().getFirst();
    WindowsResources resources =
        new WindowsResources(
            WindowsProcessors.ALL_CONTROLS, new ContainerCapacity(4000, 1L << 40, 0));

    assertThat(resources.of(pod, container, ServiceHandler.named("hyperv")).getCpuMaximum())
        .isEqualTo(2500);
    assertThat(
            resources
                .of(pod, container, ServiceHandler.named("ltsc2019").with(HandlerIsolation.HYPERV))
                .getCpuMaximum())
        .isEqualTo(5000);
  }

  private static String resources(String limit, String request) {
    return "containers: [{name: a, resources: {limits: {%s}, requests: {%s}}}]"
        .formatted(
            limit.isEmpty() ? "" : "cpu: " + limit, request.isEmpty() ? "" : "cpu: " + request);
  }

  @ParameterizedTest
  @CsvSource({
    "500m, 4, 1250",
    "1, 2, 5000",
    "94, 96, 9791",
    "1m, 64, 1",
    "8, 4, 10000",
    "'', 4, 0",
  })
  void theMaximumAloneIsAPartOfAllProcessors(String limit, long processors, long expected) {
    Pod pod = pod(resources(limit, "1"));
    WindowsResources resources =
        new WindowsResources(
            WindowsProcessors.MAXIMUM_ONLY, new ContainerCapacity(processors * 1000, 1L << 40, 0));

    assertThat(resources.of(pod, pod.getSpec().getContainers().getFirst(), HYPERV))
        .isEqualTo(WindowsContainerResources.newBuilder().setCpuMaximum(expected).build());
  }

  @Test
  void onlyTheLimitOfMemoryCounts() {
    WindowsContainerResources limited =
        container(
                """
                containers:
                - name: a
                  resources:
                    requests: {memory: 64Mi}
                    limits: {memory: 128Mi}
                """)
            .getWindows()
            .getResources();

    assertThat(limited)
        .isEqualTo(
            WindowsContainerResources.newBuilder().setMemoryLimitInBytes(128L << 20).build());
  }

  @Test
  void resourcesAreChangedInTheWordsOfWindows() {
    Pod pod = pod("containers: [{name: a, resources: {limits: {cpu: 1, memory: 1Gi}}}]");
    Container container = pod.getSpec().getContainers().getFirst();

    var request = WINDOWS.resize("id", pod, container, HYPERV);

    assertThat(request.hasLinux()).isFalse();
    assertThat(request.getWindows())
        .isEqualTo(
            WindowsContainerResources.newBuilder()
                .setCpuCount(2)
                .setCpuShares(2500)
                .setCpuMaximum(5000)
                .setMemoryLimitInBytes(1L << 30)
                .build());
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
        new ContainerContext(
            pod.getSpec().getContainers().getFirst(),
            null,
            ImageDescription.of("servercore"),
            PROCESS));
    return config.build();
  }
}
