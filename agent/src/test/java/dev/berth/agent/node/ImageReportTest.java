package dev.berth.agent.node;

import static dev.berth.agent.node.TestNodes.READY;
import static dev.berth.agent.node.TestNodes.container;
import static dev.berth.agent.node.TestNodes.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.node.usage.NodeImage;
import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ImageReportTest {
  private static final RuntimeService ONE =
      container("one", READY, true, handler("runc"), handler("kata"));
  private static final RuntimeService TWO = container("two", READY, false, handler("crun"));

  @Test
  void theLargestImagesComeFirstAndEachOnce() {
    ImageReport report =
        new ImageReport(
            List.of(image("a:1", 5, ONE, ""), image("b:1", 7, ONE, ""), image("b:1", 7, TWO, "")),
            snapshot(ONE, TWO));

    assertThat(report.largest().toString())
        .isEqualTo(
            "[{'names':['b@sha','b:1'],'sizeBytes':7},{'names':['a@sha','a:1'],'sizeBytes':5}]"
                .replace('\'', '"'));
  }

  @Test
  void oneStoreForAllHandlersNeedsNoWords() {
    assertThat(new ImageReport(List.of(image("a:1", 5, ONE, "")), snapshot(ONE)).byHandler())
        .isEmpty();
  }

  @Test
  void whatWasPulledForAHandlerIsOnlyForIt() {
    List<NodeImage> images = List.of(image("a:1", 5, ONE, ""), image("b:1", 7, ONE, "kata"));

    assertThat(new ImageReport(images, snapshot(ONE)).byHandler())
        .isEqualTo("{\"kata\":[\"b:1\"],\"runc\":[\"a:1\"]}");
  }

  @Test
  void servicesWithTheirOwnStoresUseOnlyThose() {
    List<NodeImage> images = List.of(image("a:1", 5, ONE, ""), image("b:1", 7, TWO, ""));

    assertThat(new ImageReport(images, snapshot(ONE, TWO)).byHandler())
        .isEqualTo("{\"crun\":[\"b:1\"],\"kata\":[\"a:1\"],\"runc\":[\"a:1\"]}");
  }

  /// The runtime knows an entry that was pulled by digest under no tag; the agent does.
  @Test
  void anEntryThatWasPulledByDigestHasTheNameByWhichItsHandlersKnowIt() {
    NodeImage entry =
        new NodeImage(
            List.of("golang@sha"),
            List.of(),
            9,
            ONE.imageEndpoint(),
            List.of(new HandlerImage("golang:1", "kata"), new HandlerImage("golang:1", "arm")));
    ImageReport report =
        new ImageReport(List.of(image("golang:1", 5, ONE, ""), entry), snapshot(ONE));

    assertThat(report.byHandler()).isEqualTo("{\"kata\":[\"golang:1\"],\"runc\":[\"golang:1\"]}");
    assertThat(report.largest().toString()).startsWith("[{\"names\":[\"golang@sha\"],\"size");

    assertThat(new ImageReport(List.of(entry), snapshot(ONE)).byHandler())
        .as("what is there for other handlers is not there for runc")
        .isEqualTo("{\"kata\":[\"golang:1\"],\"runc\":[]}");
  }

  private static ServiceHandler handler(String name) {
    return new ServiceHandler(name, false, false);
  }

  private static NodeImage image(String tag, long size, RuntimeService of, String handler) {
    String digest = tag.replaceFirst(":.*", "@sha");
    return new NodeImage(
        List.of(digest),
        List.of(tag),
        size,
        of.imageEndpoint(),
        handler.isEmpty() ? List.of() : List.of(new HandlerImage(tag, handler)));
  }
}
