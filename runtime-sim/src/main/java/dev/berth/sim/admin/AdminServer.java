package dev.berth.sim.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.berth.api.Problem;
import dev.berth.cri.http.HttpExchange;
import dev.berth.cri.http.HttpListener;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.sim.Simulator;
import dev.berth.sim.config.ConfigErrors;
import dev.berth.sim.config.ConfigYaml;
import dev.berth.sim.config.RuleReader;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.knobs.SimCondition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/// The admin endpoint of a simulated service: `GET /` shows its state, the other paths change it.
///
/// Bodies are YAML or JSON. Only the owner of the socket can connect. Each request runs on a thread
/// of its own. The endpoint stays up while the service is crashed, because it is the way to start
/// it.
public final class AdminServer implements AutoCloseable {
  private static final String NOT_HERE =
      "the paths are GET /, GET /pods, POST or DELETE /faults, POST or DELETE /exits, PUT /pulls, PUT /events,"
          + " PUT /handlers, PUT /conditions/runtime, PUT /conditions/network,"
          + " POST /containers/ID/exit, POST /crash, POST /start, POST /restart";

  private final Simulator simulator;
  private final HttpListener listener;
  private final ObjectWriter json = new ObjectMapper().writerWithDefaultPrettyPrinter();

  private AdminServer(Simulator simulator, Path socket) throws IOException {
    this.simulator = simulator;
    this.listener = HttpListener.atSocket(simulator.transport(), socket, this::handle);
  }

  /// Starts the endpoint. It listens when the method returns.
  public static AdminServer start(Simulator simulator, Path socket) {
    try {
      return new AdminServer(simulator, socket);
    } catch (IOException e) {
      throw new AdminException(
          new Problem(
              "cannot listen at admin socket " + socket,
              String.valueOf(e.getMessage()),
              "Choose another socket, or stop the process that listens at this one"),
          e);
    }
  }

  @Override
  public void close() {
    listener.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    ConfigErrors mistakes = new ConfigErrors();
    JsonNode body = ConfigYaml.read(exchange.body(), mistakes);
    Request request =
        new Request(
            exchange.method() + " " + exchange.path(), body, new RuleReader(mistakes), mistakes);
    Optional<Object> answer;
    try {
      answer = mistakes.none() ? answer(request) : Optional.of("");
    } catch (CallRefusal e) {
      send(exchange, 404, Map.of("error", e.text()));
      return;
    }
    if (!mistakes.none()) {
      send(exchange, 400, Map.of("mistakes", mistakes.list()));
    } else if (answer.isEmpty()) {
      send(exchange, 404, Map.of("error", "there is no " + request.line + "; " + NOT_HERE));
    } else {
      send(exchange, 200, answer.get());
    }
  }

  /// A request. Its action runs only when the body has no mistakes, so that a mistake changes
  /// nothing.
  private record Request(String line, JsonNode body, RuleReader rules, ConfigErrors mistakes) {
    <T> Optional<Object> with(T value, Consumer<T> act) {
      if (mistakes.none()) {
        act.accept(value);
      }
      return Optional.of(Map.of("done", line));
    }
  }

  /// Answers a request; empty when the path does not exist.
  private Optional<Object> answer(Request request) {
    ServiceKnobs knobs = simulator.knobs();
    return switch (request.line) {
      case "GET /" -> Optional.of(AdminView.state(simulator));
      case "GET /pods" -> Optional.of(AdminView.pods(simulator.machine()));
      case "GET /faults" -> Optional.of(AdminView.faults(knobs));
      case "GET /exits" -> Optional.of(AdminView.exits(knobs));
      case "POST /faults" -> addFaults(request);
      case "POST /exits" -> addExits(request);
      case "DELETE /faults" -> request.with(knobs, all -> all.faults().clear());
      case "DELETE /exits" -> request.with(knobs, all -> all.exits().clear());
      case "PUT /pulls" -> request.with(request.rules.pulls(request.body, "pulls"), knobs::pulls);
      case "PUT /events" -> request.with(request.rules.enabled(request.body), simulator::setEvents);
      case "PUT /handlers" ->
          request.with(request.rules.handlers(request.body, "handlers"), simulator::setHandlers);
      case "PUT /conditions/runtime" -> request.with(condition(request), knobs::runtime);
      case "PUT /conditions/network" -> request.with(condition(request), knobs::network);
      case "POST /crash" -> request.with(simulator, Simulator::crash);
      case "POST /start" -> request.with(simulator, Simulator::serve);
      // A restart that loses its state stands for a reboot of the machine.
      case "POST /restart" ->
          request.with(request.rules.keepsState(request.body), simulator::restart);
      default -> numbered(request);
    };
  }

  private Optional<Object> numbered(Request request) {
    String line = request.line;
    if (line.startsWith("DELETE /faults/")) {
      return remove(request, simulator.knobs().faults()::remove);
    }
    if (line.startsWith("DELETE /exits/")) {
      return remove(request, simulator.knobs().exits()::remove);
    }
    if (line.matches("POST /containers/[^/]+/exit")) {
      String id = line.split("/", -1)[2];
      return request.with(
          request.rules.end(request.body),
          exit -> {
            if (!simulator.endContainer(id, exit.code(), exit.reason())) {
              throw CallRefusal.notFound("container " + id + " does not run");
            }
          });
    }
    return Optional.empty();
  }

  private static SimCondition condition(Request request) {
    return request.rules.condition(request.body, "condition");
  }

  /// Adds rules all together or not at all; an empty body is a mistake and not a rule for
  /// everything.
  private Optional<Object> addFaults(Request request) {
    var rules = request.rules.faults(request.body, "faults");
    if (!request.mistakes.none() || rules.isEmpty()) {
      return missingRule(request, rules);
    }
    return Optional.of(Map.of("ids", rules.stream().map(simulator.knobs().faults()::add).toList()));
  }

  private Optional<Object> addExits(Request request) {
    var rules = request.rules.exits(request.body, "exits");
    if (!request.mistakes.none() || rules.isEmpty()) {
      return missingRule(request, rules);
    }
    return Optional.of(Map.of("ids", rules.stream().map(simulator.knobs().exits()::add).toList()));
  }

  private static Optional<Object> missingRule(Request request, List<?> rules) {
    if (rules.isEmpty()) {
      request.mistakes.add("", "the body must hold a rule or a list of them");
    }
    return Optional.of("");
  }

  private static Optional<Object> remove(Request request, IntPredicate remove) {
    String number = request.line.substring(request.line.lastIndexOf('/') + 1);
    if (!number.matches("[0-9]{1,9}") || !remove.test(Integer.parseInt(number))) {
      throw CallRefusal.notFound("there is no rule " + number);
    }
    return Optional.of(Map.of("done", request.line));
  }

  private void send(HttpExchange exchange, int status, Object answer) throws IOException {
    String text;
    try {
      text = json.writeValueAsString(answer);
    } catch (JsonProcessingException e) {
      throw new IOException(e);
    }
    exchange.answer(status, "application/json", text + "\n");
  }
}
