package dev.berth.agent.runtimes.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.api.Problem;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EndpointFlagsTest {
  private static final String CONTAINERD = "container:containerd:unix:///run/containerd.sock";
  private static final String QEMU = "vm:qemu:unix:///run/qemu.sock";
  private static final String SYNTAX =
      "Write workloadType:name:url, for example container:containerd:unix:///run/containerd/containerd.sock";

  @Test
  void servicesKeepTheirOrderAndHoldTheirOwnImages() throws Exception {
    List<RuntimeDeclaration> services =
        EndpointFlags.read(CONTAINERD + "; vm:qemu:tcp://127.0.0.1:1234", "");

    assertThat(services)
        .extracting(RuntimeDeclaration::toString)
        .containsExactly(CONTAINERD, "vm:qemu:tcp://127.0.0.1:1234");
    assertThat(services)
        .allSatisfy(service -> assertThat(service.imageEndpoint()).isEqualTo(service.endpoint()));
  }

  @ParameterizedTest
  @CsvSource({
    "unix:///run/a.sock, unix:///run/a.sock",
    "unix:/run/a.sock, unix:///run/a.sock",
    "/run/a.sock, unix:///run/a.sock",
    "tcp://127.0.0.1:99, tcp://127.0.0.1:99"
  })
  void aBareUrlIsTheDefaultContainerService(String flag, String endpoint) throws Exception {
    assertThat(EndpointFlags.read(flag, ""))
        .singleElement()
        .hasToString("container:default:" + endpoint);
  }

  @Test
  void imagesMayBeElsewhere() throws Exception {
    List<RuntimeDeclaration> services =
        EndpointFlags.read(CONTAINERD + ";" + QEMU, "vm:qemu:unix:///run/images.sock");

    assertThat(services)
        .extracting(service -> service.imageEndpoint().toString())
        .containsExactly("unix:///run/containerd.sock", "unix:///run/images.sock");
  }

  @ParameterizedTest
  @CsvSource({"unix:///run/a.sock", CONTAINERD})
  void aBareImageUrlBelongsToTheOnlyService(String runtimes) throws Exception {
    assertThat(EndpointFlags.read(runtimes, "unix:///run/images.sock"))
        .singleElement()
        .extracting(service -> service.imageEndpoint().toString())
        .isEqualTo("unix:///run/images.sock");
  }

  /// Flag, and the one mistake in it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                            | it names no runtime service
          containerd                    | it has 1 of the three fields workloadType:name:url
          container:containerd          | it has 2 of the three fields workloadType:name:url
          a,container,unix:///a.sock    | the fields of a runtime service are separated by ':', not by ','
          a,container,/a.sock           | the fields of a runtime service are separated by ':', not by ','
          pod:a:unix:///a.sock          | workload type "pod" is not known (known: container, vm)
          Container:a:unix:///a.sock    | workload type "Container" is not known (known: container, vm)
          :a:unix:///a.sock             | the workload type is missing (known: container, vm)
          vm::unix:///a.sock            | the name is missing
          vm:default:unix:///a.sock     | name "default" is reserved: it stands for the first service of a workload type
          vm:a b:unix:///a.sock         | name "a b" is not a name
          vm:-a:unix:///a.sock          | name "-a" is not a name
          vm:a:                         | endpoint "": it is empty
          vm:a:unix://                  | endpoint "unix://": the path of the socket is missing
          vm:a:unix://a.sock            | endpoint "unix://a.sock": the path of the socket must be absolute, and "a.sock" is not
          vm:a:http://x                 | endpoint "http://x": scheme "http" is not known (known: unix, tcp, npipe)
          vm:a:tcp://10.0.0.1:1         | endpoint "tcp://10.0.0.1:1": host "10.0.0.1" is not a loopback address; whoever reaches a runtime controls the node
          """)
  void eachMistakeHasItsOwnWords(String flag, String why) {
    Problem problem = onlyProblem(flag, "");

    assertThat(problem.why()).isEqualTo(why);
    assertThat(problem.what())
        .startsWith("--container-runtime-endpoint")
        .endsWith("cannot be used");
    assertThat(problem.remedy()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          vm:a:unix:///a;            | part 2 ("")                         | it is empty
          unix:///b;vm:a:unix:///a   | part 1 ("unix:///b")                | a bare URL is only accepted when it is the only one
          vm:a:unix:///a;vm:a:unix:///b | part 2 ("vm:a:unix:///b")        | name "a" is that of --container-runtime-endpoint, part 1 ("vm:a:unix:///a") already
          vm:a:unix:///a;container:b:/a | part 2 ("container:b:/a")        | endpoint unix:///a is that of --container-runtime-endpoint, part 1 ("vm:a:unix:///a") already
          """)
  void aMistakeNamesItsPart(String flag, String part, String why) {
    assertThat(onlyProblem(flag, ""))
        .isEqualTo(
            new Problem(
                "--container-runtime-endpoint, %s cannot be used".formatted(part),
                why,
                onlyProblem(flag, "").remedy()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          vm:other:unix:///i         | there is no runtime service "other" (there are: containerd, qemu)
          container:qemu:unix:///i   | runtime service "qemu" has workload type vm, not "container"
          unix:///i                  | a bare URL does not say whose images these are (runtime services: containerd, qemu)
          vm:qemu:unix://i           | endpoint "unix://i": the path of the socket must be absolute, and "i" is not
          vm:qemu:/i;vm:qemu:/j      | runtime service "qemu" has an image endpoint already
          qemu                       | it has 1 of the three fields workloadType:name:url
          """)
  void imageEndpointsAreHeldToTheRuntimeServices(String images, String why) {
    Problem problem = onlyProblem(CONTAINERD + ";" + QEMU, images);

    assertThat(problem.why()).isEqualTo(why);
    assertThat(problem.what()).startsWith("--image-service-endpoint");
  }

  @Test
  void theWholeMessageSaysWhatToDo() {
    assertThat(onlyProblem("containerd:container:unix:///a.sock", ""))
        .hasToString(
            "--container-runtime-endpoint=containerd:container:unix:///a.sock cannot be used:"
                + " workload type \"containerd\" is not known (known: container, vm)."
                + " The workload type comes first, then the name: container:containerd");
    assertThat(onlyProblem("containerd", "").remedy()).isEqualTo(SYNTAX);
  }

  @Test
  void allMistakesOfBothFlagsAreToldAtOnce() {
    List<Problem> problems =
        problems("pod:default:http://x;;" + QEMU + ";vm:qemu:unix:///q2", "vm:qemu:nowhere");

    assertThat(problems)
        .extracting(Problem::why)
        .containsExactly(
            "it is empty",
            "workload type \"pod\" is not known (known: container, vm)",
            "name \"default\" is reserved: it stands for the first service of a workload type",
            "endpoint \"http://x\": scheme \"http\" is not known (known: unix, tcp, npipe)",
            "endpoint \"nowhere\": it is neither a URL nor an absolute path",
            "name \"qemu\" is that of --container-runtime-endpoint, part 3 (\"%s\") already"
                .formatted(QEMU),
            "endpoint \"nowhere\": it is neither a URL nor an absolute path");
  }

  @Test
  void anImageEndpointOfAnUnreadablePartIsNotCalledAStranger() {
    assertThat(problems(CONTAINERD + ";qemu", "vm:qemu:unix:///i")).hasSize(1);
  }

  private static Problem onlyProblem(String runtimes, String images) {
    List<Problem> problems = problems(runtimes, images);
    assertThat(problems).hasSize(1);
    return problems.getFirst();
  }

  private static List<Problem> problems(String runtimes, String images) {
    return Objects.requireNonNull(
            catchThrowableOfType(
                RegistrationException.class, () -> EndpointFlags.read(runtimes, images)))
        .problems();
  }
}
