package dev.berth.agent.runtimes.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RuntimeYamlTest {
  @Test
  void aFileHoldsOneService() throws Exception {
    RuntimeDeclaration service =
        RuntimeYaml.readService(
            "qemu.yaml",
            """
            # virtual machines
            name: qemu
            workloadType: vm
            endpoint: unix:///run/qemu.sock
            imageEndpoint: unix:///run/images.sock
            handlers:
            - microvm
            - name: q35
              features: {userNamespaces: true}
              isolation: hyperv
            """);

    assertThat(service)
        .isEqualTo(
            new RuntimeDeclaration(
                "qemu",
                WorkloadType.VM,
                CriEndpoint.parse("/run/qemu.sock"),
                CriEndpoint.parse("/run/images.sock"),
                List.of(
                    ServiceHandler.named("microvm"),
                    new ServiceHandler("q35", false, true, HandlerIsolation.HYPERV, null))));
    assertThat(RuntimeYaml.readService("again", RuntimeYaml.write(service))).isEqualTo(service);
  }

  @Test
  void handlersHavePlatforms() throws RegistrationException {
    RuntimeDeclaration service =
        RuntimeYaml.readService(
            "x.yaml",
            """
            name: both
            workloadType: container
            endpoint: /run/both.sock
            handlers: [runc, {name: hyperv, isolation: hyperv, platform: windows/amd64 10.0.17763}]
            platforms: {arm: linux/arm64, runc: linux/amd64}
            """);

    assertThat(service.handlers())
        .extracting(handler -> handler + "=" + handler.platform())
        .containsExactly("runc=linux/amd64", "hyperv=windows/amd64 10.0.17763", "arm=linux/arm64");
    assertThat(RuntimeYaml.readService("again", RuntimeYaml.write(service))).isEqualTo(service);
  }

  @Test
  void aPlatformThatIsNoneIsRefused() {
    assertThatThrownBy(
            () ->
                RuntimeYaml.readService(
                    "x.yaml",
                    """
                    {name: a, workloadType: container, endpoint: /run/a.sock, platforms: {arm: arm64}}
                    """))
        .hasMessageContaining("the platform \"arm64\" of a handler is not valid")
        .hasMessageContaining("linux/arm/v7");
  }

  @Test
  void whatIsWrittenIsPlain() {
    assertThat(
            RuntimeYaml.write(
                new RuntimeDeclaration(
                    "crun", WorkloadType.CONTAINER, CriEndpoint.parse("/run/crun.sock"))))
        .isEqualTo(
            """
            name: crun
            workloadType: container
            endpoint: unix:///run/crun.sock
            """);
  }

  @Test
  void anAliasIsRefusedAndNotTakenForItsName() {
    String text = "name: &n crun\nworkloadType: container\nendpoint: unix:///a\nhandlers: [*n]\n";

    assertThatThrownBy(() -> RuntimeYaml.readService("crun.yaml", text))
        .hasMessageContaining("\"*n\" is an alias")
        .hasMessageContaining("write its value out");
    assertThatThrownBy(() -> RuntimeYaml.readDocument("agent.yaml", "a: &x 1\nmaxPods: *x\n"))
        .hasMessageContaining("\"*x\" is an alias");
  }

  @Test
  void aConfigurationHoldsAList() throws Exception {
    assertThat(
            RuntimeYaml.readConfiguration(
                "agent.yaml",
                """
                otherSetting: 1
                runtimeServices:
                - {name: a, workloadType: container, endpoint: unix:///a}
                - {name: b, workloadType: vm, endpoint: unix:///b}
                """))
        .extracting(RuntimeDeclaration::toString)
        .containsExactly("container:a:unix:///a", "vm:b:unix:///b");
  }

  @Test
  void allMistakesOfAConfigurationAreToldAtOnce() {
    assertThat(
            problems(
                () ->
                    RuntimeYaml.readConfiguration(
                        "agent.yaml",
                        """
                        runtimeServices:
                        - {name: a, workloadType: container, endpoint: unix:///a, socket: /a}
                        - [name]
                        - {workloadType: vm, endpoint: unix:///a}
                        - {name: default, workloadType: 7, endpoint: {path: /b}}
                        """)))
        .extracting(problem -> problem.what() + ": " + problem.why())
        .containsExactly(
            "agent.yaml, runtimeServices[0] cannot be used: key `socket` is not known (known: name, workloadType, endpoint, imageEndpoint, handlers, platforms)",
            "agent.yaml, runtimeServices[1] cannot be used: it is not a runtime service",
            "agent.yaml, runtimeServices[3] cannot be used: `endpoint` is not a text",
            "agent.yaml, runtimeServices[2] cannot be used: the name is missing",
            "agent.yaml, runtimeServices[2] cannot be used: endpoint unix:///a is that of agent.yaml, runtimeServices[0] already",
            "agent.yaml, runtimeServices[3] cannot be used: workload type \"7\" is not known (known: container, vm)",
            "agent.yaml, runtimeServices[3] cannot be used: name \"default\" is reserved: it stands for the first service of a workload type",
            "agent.yaml, runtimeServices[3] cannot be used: endpoint \"\": it is empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                    | it is not a runtime service
          '[]'                  | it is not a runtime service
          'a: b: c'             | it is not YAML: mapping values are not allowed here in line 1
          '{name: a, name: b}'  | it is not YAML: Duplicate field 'name' in line 1
          """)
  void aFileThatIsNoServiceIsRefused(String text, String why) {
    assertThat(problems(() -> RuntimeYaml.readService("x.yaml", text)))
        .extracting(Problem::why)
        .containsExactly(why);
  }

  @Test
  void oneFileHoldsOneDocument() {
    assertThat(problems(() -> RuntimeYaml.readService("x.yaml", "{}\n---\n{}\n")))
        .extracting(Problem::why)
        .containsExactly("it holds more than one YAML document");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'handlers: runc'                             | `handlers` is not a list
          'handlers: ['''']'                           | a handler has no name
          'handlers: [{nam: x}]'                       | handlers: key `nam` is not known (known: name, features, isolation, platform)
          'handlers: [{name: x, features: {a: true}}]' | features: key `a` is not known (known: recursiveReadOnlyMounts, userNamespaces)
          'handlers: [{name: x, features: {userNamespaces: 1}}]' | `userNamespaces` is "1"
          'handlers: [{name: x, isolation: vm}]'         | `isolation` is "vm"
          """)
  void mistakesInHandlersHaveTheirOwnWords(String handlers, String why) {
    String service = "name: a\nworkloadType: vm\nendpoint: unix:///a\n" + handlers;

    assertThat(problems(() -> RuntimeYaml.readService("x.yaml", service)))
        .extracting(Problem::why)
        .containsExactly(why);
  }

  private static List<Problem> problems(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable reading) {
    return Objects.requireNonNull(catchThrowableOfType(RegistrationException.class, reading))
        .problems();
  }
}
