package dev.berth.agent.runtimes.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.ServiceResolution.Bound;
import dev.berth.agent.runtimes.admin.AdminAnswer.Done;
import dev.berth.agent.runtimes.admin.AdminAnswer.Progress;
import dev.berth.agent.runtimes.admin.AdminAnswer.Refused;
import dev.berth.agent.runtimes.admin.AdminAnswer.Services;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.agent.runtimes.testing.FakeRuntime;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.DelayedActions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The directory and the socket, with real files, and runtimes in this process.
final class NodeRuntimesIT {
  @TempDir private Path directory;
  private final FakeNode node = new FakeNode();
  private final DelayedActions delays = DelayedActions.realTime();
  private Places places;
  private NodeRuntimes runtimes;

  @BeforeEach
  void start() throws IOException {
    node.start("static", new FakeRuntime());
    node.start("b", new FakeRuntime());
    node.start("c", new FakeRuntime());
    places = Places.below(directory);
    runtimes = open();
  }

  private NodeRuntimes open() throws IOException {
    return NodeRuntimes.start(
        places,
        List.of(new RuntimeDeclaration("static", WorkloadType.CONTAINER, node.endpoint("static"))),
        new RegistryContext(
            node.channels, node.metrics, HealthTimings.STANDARD, delays, Clock.systemUTC()));
  }

  @AfterEach
  void close() {
    runtimes.close();
    delays.close();
    node.close();
  }

  @Test
  void aFileAddsAServiceAndItsDeletionRemovesIt() throws Exception {
    Path file = write("10-b.yaml", yaml("b", "b"));
    awaitHealth("b", "Ready");

    Files.delete(file);

    Await.until("it is gone", () -> runtimes.registry().snapshot().find("b").isEmpty());
    assertThat(names()).containsExactly("static");
  }

  @Test
  void aBrokenFileIsReportedAndLeavesTheOthersAlone() throws Exception {
    Path broken = write("10-broken.yaml", "name: [");
    write("20-b.yaml", yaml("b", "b"));
    awaitHealth("b", "Ready");
    Await.until("it is reported", () -> !problems().isEmpty());
    assertThat(problems().getFirst().what()).isEqualTo(broken + " cannot be used");

    write("10-broken.yaml", yaml("c", "c"));

    awaitHealth("c", "Ready");
    Await.until("nothing is reported any more", () -> problems().isEmpty());
  }

  @Test
  void aGoodFileThatBreaksKeepsItsService() throws Exception {
    write("10-b.yaml", yaml("b", "b"));
    awaitHealth("b", "Ready");

    write("10-b.yaml", "name: b");

    Await.until("it is reported", () -> !problems().isEmpty());
    assertThat(runtimes.registry().snapshot().find("b")).isPresent();
  }

  @Test
  void aFileWithPodsGoesOnlyWhenTheyHaveGone() throws Exception {
    Path file = write("10-b.yaml", yaml("b", "b"));
    awaitHealth("b", "Ready");
    bind("1", "b");

    Files.delete(file);
    awaitHealth("b", "Draining");
    write("10-b.yaml", yaml("b", "b"));
    awaitHealth("b", "Ready");
    Files.delete(file);
    awaitHealth("b", "Draining");
    runtimes.registry().release("1");

    Await.until("it is gone", () -> runtimes.registry().snapshot().find("b").isEmpty());
  }

  @Test
  void aChangedFileMovesTheService() throws Exception {
    write("10-b.yaml", yaml("b", "b"));
    awaitHealth("b", "Ready");
    bind("1", "b");

    write("10-b.yaml", yaml("b", "c"));

    Await.until(
        "it moved",
        () ->
            runtimes
                .registry()
                .snapshot()
                .find("b")
                .orElseThrow()
                .endpoint()
                .equals(node.endpoint("c")));
    awaitHealth("b", "Ready");
    assertThat(runtimes.registry().bindings().count("b")).isEqualTo(1);
  }

  @Test
  void aFileCannotTakeTheNameOfAConfiguredService() throws Exception {
    Path file = write("10-static.yaml", yaml("static", "b"));

    Await.until("it is reported", () -> !problems().isEmpty());
    assertThat(problems().getFirst().what())
        .isEqualTo("runtime service \"static\" of %s cannot be added".formatted(file));
    assertThat(names()).containsExactly("static");
  }

  @Test
  void theAdministratorAddsAServiceThatOutlivesTheAgent() throws Exception {
    assertThat(ask(new AdminRequest.Add(yaml("b", "b"), 0)))
        .isEqualTo(new Done("runtime service \"b\" is added and ready"));
    assertThat(ask(new AdminRequest.Add(yaml("c", "nobody"), 0)))
        .isInstanceOfSatisfying(
            Done.class,
            done ->
                assertThat(done.text())
                    .startsWith("runtime service \"c\" is added, and is not ready: ")
                    .contains(" does not answer: ", "wait for that with --wait"));
    assertThat(ask(new AdminRequest.Remove("c", false))).isInstanceOf(Done.class);
    List<Progress> progress = new CopyOnWriteArrayList<>();
    assertThat(
            new AdminClient(places.socket())
                .ask(new AdminRequest.Add(yaml("c", "nobody"), 1), progress::add))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.problems().getFirst().toString())
                    .startsWith("runtime service \"c\" is added and is not ready: ")
                    .contains("after 1 seconds", "berth runtimes remove c"));
    assertThat(progress)
        .singleElement()
        .satisfies(
            waiting ->
                assertThat(waiting.text())
                    .startsWith("runtime service \"c\" is added, and is not ready: ")
                    .endsWith("Waiting for up to 1 seconds")
                    .doesNotContain("--wait"));
    awaitHealth("b", "Ready");
    assertThat(places.dropIns().resolve("10-b.yaml")).hasContent(yaml("b", "b"));
    assertThat(places.dropIns().resolve("20-c.yaml")).exists();

    runtimes.close();
    runtimes = open();

    awaitHealth("b", "Ready");
    assertThat(names()).containsExactly("static", "b", "c");
    assertThat(ask(new AdminRequest.Remove("b", false)))
        .isEqualTo(new Done("runtime service \"b\" is removed"));
    assertThat(places.dropIns().resolve("10-b.yaml")).doesNotExist();
    assertThat(names()).containsExactly("static", "c");
  }

  @Test
  void mistakesAreAnsweredAllAtOnce() {
    assertThat(ask(new AdminRequest.Add("{name: default, workloadType: pod, endpoint: x}", 0)))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.problems()).hasSize(3));
    assertThat(ask(new AdminRequest.Add(yaml("static", "b"), 0)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.problems().getFirst().why())
                    .startsWith("the name belongs to runtime service container:static:"));
    assertThat(places.dropIns()).isEmptyDirectory();
  }

  @Test
  void theListSaysWhatThereIs() throws Exception {
    awaitHealth("static", "Ready");
    bind("1", "static");
    write("10-broken.yaml", "name: x");
    Await.until("it is reported", () -> problems().size() == 2);

    assertThat(ask(new AdminRequest.List()))
        .isInstanceOfSatisfying(
            Services.class,
            list -> {
              ServiceEntry entry = list.services().getFirst();
              assertThat(entry.name()).isEqualTo("static");
              assertThat(entry.health()).isEqualTo("Ready");
              assertThat(entry.pods()).isEqualTo(1);
              assertThat(entry.version()).isEqualTo("fake://1.0");
              assertThat(entry.handlers()).containsExactly("runc");
              assertThat(entry.isDefault()).isTrue();
              assertThat(list.problems()).hasSize(2);
            });
  }

  @Test
  void drainWaitsForTheLastPod() throws Exception {
    awaitHealth("static", "Ready");
    bind("1", "static");
    List<Progress> progress = new CopyOnWriteArrayList<>();
    var answer = new AtomicReference<AdminAnswer>();
    Thread asking =
        Thread.ofVirtual()
            .start(
                () ->
                    answer.set(
                        new AdminClient(places.socket())
                            .ask(new AdminRequest.Drain("static", 60), progress::add)));
    Await.until("it waits", () -> !progress.isEmpty());
    assertThat(progress).containsExactly(new Progress("1 pods are left on \"static\""));

    runtimes.registry().release("1");

    asking.join();
    assertThat(answer.get())
        .isEqualTo(new Done("runtime service \"static\" is drained: it has no pods"));
    assertThat(ask(new AdminRequest.Resume("static"))).isInstanceOf(Done.class);
    awaitHealth("static", "Ready");
  }

  @Test
  void drainAndRemoveSayWhatIsLeft() {
    awaitHealth("static", "Ready");
    bind("1", "static");

    assertThat(ask(new AdminRequest.Drain("static", 0)))
        .isEqualTo(new Done("runtime service \"static\" takes no new pods; 1 are left"));
    assertThat(ask(new AdminRequest.Drain("static", 1)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.problems().getFirst().why())
                    .isEqualTo("1 pods are left after 1 seconds"));
    assertThat(ask(new AdminRequest.Remove("static", false))).isInstanceOf(Refused.class);
    assertThat(ask(new AdminRequest.Remove("static", true)))
        .isEqualTo(
            new Done(
                "runtime service \"static\" is removed; 1 pods were let go and may run on unseen;"
                    + " it comes back with the agent unless its configuration changes"));
  }

  @Test
  void theSocketIsItsOwnersAloneAndGoesWithTheAgent() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(places.socket())))
        .isEqualTo("rw-------");
    Thread waiting = Thread.ofVirtual().start(() -> ask(new AdminRequest.Drain("static", 600)));

    runtimes.close();

    waiting.join();
    assertThat(places.socket()).doesNotExist();
    assertThat(ask(new AdminRequest.List()))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.problems().getFirst().what())
                    .isEqualTo("the agent at %s cannot be asked".formatted(places.socket())));
  }

  private AdminAnswer ask(AdminRequest request) {
    return new AdminClient(places.socket()).ask(request, _ -> {});
  }

  private void bind(String uid, String service) {
    assertThat(
            runtimes
                .registry()
                .bind(new PodRequest(uid, uid, WorkloadType.CONTAINER, service, false, false), ""))
        .isInstanceOf(Bound.class);
  }

  private Path write(String file, String text) throws IOException {
    return Files.writeString(places.dropIns().resolve(file), text);
  }

  private String yaml(String name, String endpoint) {
    return "name: %s\nworkloadType: container\nendpoint: %s\n"
        .formatted(name, node.endpoint(endpoint));
  }

  private List<String> names() {
    return runtimes.registry().snapshot().services().stream().map(RuntimeService::name).toList();
  }

  private List<Problem> problems() {
    return runtimes.registry().snapshot().problems();
  }

  private void awaitHealth(String name, String word) {
    Await.until(
        name + " is " + word,
        () ->
            runtimes
                .registry()
                .snapshot()
                .find(name)
                .map(service -> service.health().word().equals(word))
                .orElse(false));
  }
}
