package dev.berth.launch.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoNamespaceTest {
  private final FakeApi server =
      new FakeApi(
          List.of(ResourceType.NAMESPACES), new ManualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final ApiClient client = new ApiClient(server);
  private final StringWriter told = new StringWriter();

  private DemoNamespace open() {
    return DemoNamespace.open(client, new PrintWriter(told));
  }

  /// One that goes as soon as it is deleted: nobody empties it here.
  private void namespace(String name) {
    ObjectNode namespace = server.createNamespace(name);
    namespace.withObject("/spec").putArray("finalizers");
    client.json(ResourceType.NAMESPACES).update(namespace);
  }

  private void tours() {
    namespace("berth-demo");
    ObjectNode namespace =
        client
            .json(ResourceType.NAMESPACES)
            .find(ObjectKey.clusterScoped("berth-demo"))
            .orElseThrow();
    namespace
        .withObject("/metadata")
        .set("labels", DemoNamespace.document().path("metadata").path("labels"));
    client.json(ResourceType.NAMESPACES).update(namespace);
  }

  private List<String> namespaces() {
    return server.list(ResourceType.NAMESPACES).stream()
        .map(one -> one.at("/metadata/name").asText())
        .toList();
  }

  @Test
  void whatAnInterruptedTourLeftGoesFirst() {
    namespace("other");
    tours();

    open().close();

    assertThat(namespaces()).containsExactly("other");
    assertThat(told.toString())
        .isEqualToIgnoringNewLines(
            "An earlier tour was interrupted; deleting its namespace berth-demo first.");
  }

  @Test
  void aNamespaceThatSomebodyElseMadeIsLeftAlone() {
    namespace("berth-demo");

    assertThatThrownBy(this::open)
        .hasMessage(
            "the tour cannot start: namespace berth-demo exists and was not created by a tour: it"
                + " has no label berth.dev/tour. If its contents are not needed: kubectl delete"
                + " namespace berth-demo");
    assertThat(namespaces()).containsExactly("berth-demo");
  }

  @Test
  void oneThatSomebodyElseMakesMeanwhileIsLeftAlone() {
    try (DemoNamespace space = open()) {
      namespace("berth-demo");
      space.abandon();
    }

    assertThat(namespaces()).containsExactly("berth-demo");
    assertThat(told.toString()).isEmpty();
  }

  @Test
  void aTourThatIsInterruptedLeavesNothing() {
    try (DemoNamespace space = open()) {
      tours();
      space.abandon();
    }

    assertThat(namespaces()).isEmpty();
    assertThat(told.toString())
        .isEqualToIgnoringNewLines("Interrupted: deleting namespace berth-demo.");
  }

  @Test
  void nothingIsSaidWhereThereIsNothing() {
    try (DemoNamespace space = open()) {
      space.abandon();
    }
    assertThat(told.toString()).isEmpty();
  }

  @Test
  void aServerThatDoesNotAnswerIsNoHindranceToTheEnd() {
    try (DemoNamespace space = open()) {
      tours();
      server.refuse(_ -> true, 503, "ServiceUnavailable");
      space.abandon();
    }
    assertThat(told.toString())
        .contains("Interrupted: namespace berth-demo is not deleted, because ");
  }
}
