package dev.berth.agent.runtimes.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.health.ServiceHandlers.Source;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.agent.runtimes.testing.FakeRuntime;
import dev.berth.cri.CriConnection;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ServiceDiscoveryTest {
  private static final String CONTAINERD_CONFIG =
      """
      {"containerd": {"snapshotter": "overlayfs", "defaultRuntimeName": "runc",
        "runtimes": {"runc": {"runtimeType": "io.containerd.runc.v2"}, "crun": {}}}}
      """;

  private final FakeNode node = new FakeNode();
  private final FakeRuntime runtime = new FakeRuntime().withHandlers();
  private final CriConnection connection = node.channels.open("a", node.endpoint("a"));

  @BeforeEach
  void start() {
    node.start("a", runtime);
  }

  @AfterEach
  void close() {
    connection.close();
    node.close();
  }

  @Test
  void versionAndConditionsAreRead() {
    runtime.networkReady = false;

    DiscoveredService told = ask(null, List.of());

    assertThat(told.version()).isEqualTo(new RuntimeVersion("fake", "1.0", "v1"));
    assertThat(told.version()).hasToString("fake://1.0");
    assertThat(told.conditions())
        .containsExactly(
            new RuntimeCondition("RuntimeReady", true, "", ""),
            new RuntimeCondition("NetworkReady", false, "NetworkReadyIsFalse", "for a test"));
  }

  @Test
  void reportedHandlersComeFirst() {
    runtime.withHandlers("", "kata");
    runtime.info = Map.of("config", CONTAINERD_CONFIG);

    ServiceHandlers handlers = ask(null, List.of(ServiceHandler.named("declared"))).handlers();

    assertThat(handlers.source()).isEqualTo(Source.REPORTED);
    assertThat(handlers).hasToString("kata");
    assertThat(handlers.offer("kata")).isTrue();
    assertThat(handlers.offer("")).isTrue();
    assertThat(handlers.offer("runc")).isFalse();
    assertThat(runtime.verboseCalls).as("for how they isolate").hasValue(1);
  }

  @Test
  void theOptionsOfARuntimeSayHowItIsolatesAndTheRegistrationCountsMore() {
    runtime.info =
        Map.of(
            "config",
            """
            {"containerd": {"defaultRuntimeName": "ltsc2019", "runtimes": {
              "ltsc2019": {"options": {"SandboxIsolation": 1}},
              "hyperv": {"options": {"SandboxIsolation": 0}},
              "odd": {}, "told": {}}}}
            """);
    List<ServiceHandler> declared =
        List.of(ServiceHandler.named("told").with(HandlerIsolation.HYPERV));
    ServiceHandlers configured = ask(null, declared).handlers();
    runtime.withHandlers("", "ltsc2019", "hyperv", "odd", "told");
    DiscoveredService first = ask(null, declared);

    for (ServiceHandlers handlers :
        List.of(configured, first.handlers(), ask(first, declared).handlers())) {
      assertThat(isolation(handlers, "ltsc2019")).isEqualTo(HandlerIsolation.HYPERV);
      assertThat(isolation(handlers, "hyperv")).isEqualTo(HandlerIsolation.PROCESS);
      assertThat(isolation(handlers, "odd")).isEqualTo(HandlerIsolation.UNKNOWN);
      assertThat(isolation(handlers, "told")).isEqualTo(HandlerIsolation.HYPERV);
      assertThat(isolation(handlers, "")).isEqualTo(HandlerIsolation.HYPERV);
    }
  }

  private static HandlerIsolation isolation(ServiceHandlers handlers, String name) {
    return handlers.find(name).orElseThrow().isolation();
  }

  @Test
  void platformsComeFromOptionsAndFromTheRegistration() {
    runtime.info =
        Map.of(
            "config",
            """
            {"runtimePlatforms": {"arm": {"platform": "linux/arm64/v8", "snapshotter": ""}},
             "containerd": {"defaultRuntimeName": "default",
              "runtimePlatforms": {"default": {"platform": "linux/s390x"}},
              "runtimes": {"default": {}, "arm": {}, "told": {},
                "containerd-hyperv-17763": {"options": {"SandboxPlatform": "windows/amd64",
                  "SandboxOsVersion": "10.0.17763", "SandboxIsolation": 1}}}}}
            """);
    List<ServiceHandler> declared =
        List.of(ServiceHandler.named("told").with(new ImagePlatform("linux", "riscv64", "", "")));
    ServiceHandlers configured = ask(null, declared).handlers();
    runtime.withHandlers("", "default", "arm", "told", "containerd-hyperv-17763");
    DiscoveredService first = ask(null, declared);
    ImagePlatform host = new ImagePlatform("windows", "amd64", "", "10.0.20348");

    for (ServiceHandlers handlers :
        List.of(configured, first.handlers(), ask(first, declared).handlers())) {
      assertThat(handlers.find("arm").orElseThrow().platform()).hasToString("linux/arm64/v8");
      assertThat(handlers.find("told").orElseThrow().platform()).hasToString("linux/riscv64");
      assertThat(handlers.find("default").orElseThrow().platform()).isNull();
      assertThat(handlers.find("containerd-hyperv-17763").orElseThrow().target(host))
          .hasToString("windows/amd64 10.0.17763 or older under Hyper-V");
      assertThat(handlers.find("default").orElseThrow().target(host))
          .hasToString("windows/amd64 10.0.20348");
    }
  }

  @Test
  void containerdsConfigurationComesSecond() {
    runtime.info = Map.of("config", CONTAINERD_CONFIG);

    ServiceHandlers handlers = ask(null, List.of(ServiceHandler.named("declared"))).handlers();

    assertThat(handlers.source()).isEqualTo(Source.CONFIGURED);
    assertThat(handlers).hasToString("runc, crun");
  }

  @Test
  void declaredHandlersComeThirdEvenWhenTheConfigurationIsUnreadable() {
    runtime.info = Map.of("config", "[crio]\nkey = 1");

    ServiceHandlers handlers = ask(null, List.of(ServiceHandler.named("declared"))).handlers();

    assertThat(handlers.source()).isEqualTo(Source.DECLARED);
    assertThat(handlers).hasToString("declared");
  }

  @Test
  void otherwiseNobodyKnows() {
    ServiceHandlers handlers = ask(null, List.of()).handlers();

    assertThat(handlers.areKnown()).isFalse();
    assertThat(handlers.offer("")).isTrue();
    assertThat(handlers).hasToString("not reported");
  }

  @Test
  void whatIsKnownIsNotAskedAgain() {
    runtime.info = Map.of("config", CONTAINERD_CONFIG);
    DiscoveredService first = ask(null, List.of());

    DiscoveredService second = ask(first, List.of());

    assertThat(second).isEqualTo(first);
    assertThat(runtime.versionCalls).hasValue(1);
    assertThat(runtime.verboseCalls).hasValue(1);
    assertThat(runtime.statusCalls).hasValue(2);
  }

  @Test
  void newHandlersAreSeenWithoutAReconnection() {
    runtime.withHandlers("runc");
    DiscoveredService first = ask(null, List.of());
    runtime.withHandlers("runc", "crun");

    assertThat(ask(first, List.of()).handlers()).hasToString("runc, crun");
  }

  private DiscoveredService ask(
      @org.jspecify.annotations.Nullable DiscoveredService known, List<ServiceHandler> declared) {
    return new ServiceDiscovery(connection.runtime(), declared).ask(known);
  }
}
