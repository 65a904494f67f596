package dev.berth.agent.node.http;

import dev.berth.agent.node.http.RefusedProtocols.Offer;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.ContainerLocation.Found;
import dev.berth.agent.streams.ContainerLocation.OutOfReach;
import dev.berth.agent.streams.LogOptions;
import dev.berth.agent.streams.LogReader;
import dev.berth.agent.streams.PodDirectory;
import dev.berth.agent.streams.RuntimeStreams;
import dev.berth.agent.streams.RuntimeStreams.Outcome;
import dev.berth.agent.streams.RuntimeStreams.RequestedStreams;
import dev.berth.agent.streams.StreamPod;
import dev.berth.relay.BackendAnswer;
import dev.berth.relay.BackendCall;
import dev.berth.relay.HangUp;
import dev.berth.relay.RelayBackend;
import dev.berth.relay.RequestBody;
import dev.berth.relay.UpgradedConnection;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/// Routes for logs and streams of containers.
final class PodRoutes {
  /// Logs have many short lines, each of which would otherwise be one write.
  private static final int BUFFER = 32 << 10;

  private final PodDirectory pods;
  private final InstantSource clock;
  private final RefusedProtocols refused;

  PodRoutes(PodDirectory pods, InstantSource clock) {
    this.pods = pods;
    this.clock = clock;
    this.refused = new RefusedProtocols(clock);
  }

  /// `/containerLogs/NAMESPACE/POD/CONTAINER`.
  void logs(NodeRequest incoming) throws IOException, InterruptedException {
    List<String> path = incoming.segments();
    if (path.size() != 4) {
      throw new HttpFailure(400, "the path must be /containerLogs/NAMESPACE/POD/CONTAINER");
    }
    StreamPod pod = StreamPod.of(path.get(1), path.get(2));
    ContainerLocation container = pods.find(pod, path.get(3));
    LogOptions options = logOptions(incoming);
    Path log =
        switch (container) {
          case OutOfReach(var newest, var previous, _) -> options.previous() ? previous : newest;
          case Found _, ContainerLocation.NotStarted _, ContainerLocation.NotFound _ -> {
            Found found = reachable(container);
            yield options.previous() ? found.previousLog() : found.log();
          }
        };
    if (log == null || !Files.exists(log)) {
      throw new HttpFailure(
          400,
          options.previous()
              ? "previous terminated container \"%s\" in pod \"%s\" not found"
                  .formatted(path.get(3), path.get(2))
              : "container \"%s\" in pod \"%s\" has no log yet"
                  .formatted(path.get(3), path.get(2)));
    }
    try (HangUp _ = HangUp.listen(incoming.request(), incoming.response());
        OutputStream out = new BufferedOutputStream(incoming.stream("text/plain"), BUFFER)) {
      LogReader.copy(log, options, () -> mayGrow(log, pod, path.get(3)), out);
    }
    incoming.callback().succeeded();
  }

  /// Whether the log may still grow, because its instance may run. The runtime is not asked: while
  /// it is away, the container may run on.
  private boolean mayGrow(Path log, StreamPod pod, String container) {
    return switch (pods.find(pod, container)) {
      case Found found -> found.isRunning() && log.equals(found.log());
      case OutOfReach(var newest, _, _) -> log.equals(newest);
      case ContainerLocation.NotStarted _, ContainerLocation.NotFound _ -> false;
    };
  }

  private LogOptions logOptions(NodeRequest incoming) {
    Instant since = null;
    String seconds = incoming.parameter("sinceSeconds");
    String time = incoming.parameter("sinceTime");
    if (!seconds.isEmpty()) {
      since = clock.instant().minusSeconds(number("sinceSeconds", seconds));
    } else if (!time.isEmpty()) {
      try {
        since = OffsetDateTime.parse(time).toInstant();
      } catch (DateTimeException e) {
        throw new HttpFailure(400, "sinceTime=" + time + ": must be a time of RFC 3339");
      }
    }
    return new LogOptions(
        incoming.flag("follow"),
        incoming.flag("previous"),
        incoming.flag("timestamps"),
        optional(incoming, "tailLines"),
        since,
        optional(incoming, "limitBytes"));
  }

  private static @Nullable Long optional(NodeRequest incoming, String parameter) {
    String text = incoming.parameter(parameter);
    return text.isEmpty() ? null : number(parameter, text);
  }

  private static long number(String parameter, String text) {
    if (!text.matches("\\d{1,18}")) {
      throw new HttpFailure(400, "%s=%s: must be a number".formatted(parameter, text));
    }
    return Long.parseLong(text);
  }

  /// `/exec/NAMESPACE/POD[/UID]/CONTAINER`.
  void exec(NodeRequest incoming) throws IOException, InterruptedException {
    RequestedStreams wanted = wanted(incoming);
    Found container = find(incoming);
    relay(
        incoming,
        container,
        StreamRoute.ofCommand(incoming.request().getHeaders(), wanted),
        () -> RuntimeStreams.exec(container, incoming.parameters("command"), wanted));
  }

  /// `/attach/NAMESPACE/POD[/UID]/CONTAINER`.
  void attach(NodeRequest incoming) throws IOException, InterruptedException {
    RequestedStreams wanted = wanted(incoming);
    Found container = find(incoming);
    if (!wanted.fits(container)) {
      throw new HttpFailure(
          400,
          "container \"%s\" in pod \"%s\" has a terminal, which merges stderr into stdout: attach with tty, or without stderr"
              .formatted(incoming.segments().getLast(), incoming.segments().get(2)));
    }
    StreamRoute route =
        StreamRoute.ofCommand(incoming.request().getHeaders(), wanted.attachedTo(container));
    relay(incoming, container, route, () -> RuntimeStreams.attach(container, wanted));
  }

  /// `/portForward/NAMESPACE/POD[/UID]`.
  void portForward(NodeRequest incoming) throws IOException, InterruptedException {
    List<String> path = incoming.segments();
    if (path.size() < 3 || path.size() > 4) {
      throw new HttpFailure(400, "the path must be /portForward/NAMESPACE/POD");
    }
    String uid = path.size() == 4 ? path.get(3) : "";
    Found sandbox = find(new StreamPod(path.get(1), path.get(2), uid), "");
    List<Integer> ports =
        incoming.parameters("port").stream().map(port -> (int) number("port", port)).toList();
    StreamRoute route = StreamRoute.ofPorts(incoming.request().getHeaders());
    relay(incoming, sandbox, route, () -> RuntimeStreams.portForward(sandbox, ports));
  }

  /// `/run/NAMESPACE/POD[/UID]/CONTAINER?cmd=...`: runs a command and returns its output.
  void run(NodeRequest incoming) {
    String command = incoming.parameter("cmd");
    Outcome outcome = RuntimeStreams.run(find(incoming), List.of(command.split(" +", -1)));
    if (outcome.code() != 0) {
      throw new HttpFailure(
          500,
          "command '%s' exited with %d: %s"
              .formatted(command, outcome.code(), outcome.output().toStringUtf8()));
    }
    incoming.send(200, "text/plain", outcome.output().toByteArray());
  }

  private Found find(NodeRequest incoming) {
    List<String> path = incoming.segments();
    if (path.size() < 4 || path.size() > 5) {
      throw new HttpFailure(
          400, "the path must be /%s/NAMESPACE/POD/CONTAINER".formatted(path.getFirst()));
    }
    String uid = path.size() == 5 ? path.get(3) : "";
    return find(new StreamPod(path.get(1), path.get(2), uid), path.getLast());
  }

  /// Finds a container whose runtime is needed now: a silent runtime is refused immediately.
  private Found find(StreamPod pod, String container) {
    Found found = reachable(pods.find(pod, container));
    found
        .silence()
        .ifPresent(
            why -> {
              throw new HttpFailure(503, why);
            });
    return found;
  }

  private static Found reachable(ContainerLocation place) {
    return switch (place) {
      case Found found -> found;
      case OutOfReach(_, _, String why) -> throw new HttpFailure(503, why);
      case ContainerLocation.NotStarted(String why) -> throw new HttpFailure(400, why);
      case ContainerLocation.NotFound(String why) -> throw new HttpFailure(404, why);
    };
  }

  private static RequestedStreams wanted(NodeRequest incoming) {
    RequestedStreams wanted =
        new RequestedStreams(
            incoming.flag("input") || incoming.flag("stdin"),
            incoming.flag("output") || incoming.flag("stdout"),
            incoming.flag("error") || incoming.flag("stderr"),
            incoming.flag("tty"));
    if (!wanted.stdin() && !wanted.stdout() && !wanted.stderr()) {
      throw new HttpFailure(400, "you must specify at least 1 of stdin, stdout, stderr");
    }
    return wanted;
  }

  /// @param ask requests the URL of the streams from the runtime; called only if the client can use
  ///   them
  private void relay(NodeRequest incoming, Found found, StreamRoute route, Supplier<URI> ask)
      throws IOException, InterruptedException {
    if (!UpgradedConnection.isWanted(incoming.request())) {
      throw new HttpFailure(400, "Upgrade request required");
    }
    HttpFields headers = route.runtimeHeaders();
    Offer offer = Offer.of(found.service(), incoming.segments().getFirst(), headers);
    refused.require(offer);
    URI url = ask.get();
    String target = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
    String method = route.method(incoming.method());
    BackendCall call = new BackendCall(method, target, headers, RequestBody.NONE, true);
    try (BackendAnswer answer = call.send(RelayBackend.ofRuntime(url))) {
      if (answer.status() != BackendAnswer.SWITCHED) {
        refused.learn(offer, answer.status());
        incoming.sendText(answer.status(), answer.text(64 << 10));
        return;
      }
      UpgradedConnection connection =
          UpgradedConnection.prepare(incoming.request(), incoming.response(), route.answer(answer));
      incoming.callback().succeeded();
      switch (route) {
        case StreamRoute.Direct _ -> connection.relay(answer);
        case StreamRoute.Translated(_, _, var opener) -> connection.relay(answer, opener);
      }
    }
  }
}
