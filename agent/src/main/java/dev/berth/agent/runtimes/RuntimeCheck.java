package dev.berth.agent.runtimes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeCondition;
import dev.berth.agent.runtimes.health.ServiceDiscovery;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxState;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;

/// Probes a runtime service before it is registered.
public final class RuntimeCheck {
  /// An absent service refuses at once; the first call of a process on a busy machine takes
  /// seconds.
  private static final CriDeadlines SHORT = new CriDeadlines(Duration.ofSeconds(10));

  private static final CriDeadlines MOMENT = new CriDeadlines(Duration.ofSeconds(3));

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /// The result.
  ///
  /// @param refusal why nothing answers at the endpoint; empty when something does
  /// @param handlers the offered handlers
  /// @param withoutNetwork why pods would have no network; empty when they would
  /// @param missingImage the sandbox image that would have to be pulled; empty when it is present
  ///   or unknown
  public record Answer(
      String refusal, List<String> handlers, String withoutNetwork, String missingImage) {
    public Answer {
      handlers = List.copyOf(handlers);
    }

    static Answer refused(String why) {
      return new Answer(why, List.of(), "", "");
    }
  }

  private final CriConnection connection;

  private RuntimeCheck(CriConnection connection) {
    this.connection = connection;
  }

  public static Answer ask(CriEndpoint endpoint) {
    CriMetrics metrics = new CriMetrics(new PrometheusRegistry());
    try (CriTransport transport = new CriTransport();
        CriConnection connection =
            new CriChannels(transport, SHORT, metrics, OpenTelemetry.noop())
                .open("check", endpoint)) {
      return new RuntimeCheck(connection).ask();
    } catch (CriException e) {
      return Answer.refused(e.rpcError());
    }
  }

  /// A field of the configuration that the runtime shows people; empty if it shows no such field,
  /// or does not answer quickly.
  public static String configured(CriEndpoint endpoint, String field) {
    CriMetrics metrics = new CriMetrics(new PrometheusRegistry());
    try (CriTransport transport = new CriTransport();
        CriConnection connection =
            new CriChannels(transport, MOMENT, metrics, OpenTelemetry.noop())
                .open("check", endpoint)) {
      return new RuntimeCheck(connection).configured(field);
    } catch (JsonProcessingException | CriException _) {
      return "";
    }
  }

  private String configured(String field) throws JsonProcessingException {
    return JSON.readTree(connection.runtime().status(true).getInfoOrDefault("config", "{}"))
        .path(field)
        .asText();
  }

  /// The pods of a kubelet at the endpoint, as `namespace/name`; empty when nothing answers
  /// quickly.
  public static List<String> podsOfKubelet(CriEndpoint endpoint) {
    CriMetrics metrics = new CriMetrics(new PrometheusRegistry());
    try (CriTransport transport = new CriTransport();
        CriConnection connection =
            new CriChannels(transport, MOMENT, metrics, OpenTelemetry.noop())
                .open("check", endpoint)) {
      return connection.runtime().listPodSandboxes(PodSandboxFilter.getDefaultInstance()).stream()
          .filter(sandbox -> sandbox.getState() == PodSandboxState.SANDBOX_READY)
          .filter(sandbox -> OwnSandboxes.isOfKubelet(sandbox.getLabelsMap()))
          .map(PodSandbox::getMetadata)
          .map(pod -> pod.getNamespace() + "/" + pod.getName())
          .sorted()
          .toList();
    } catch (CriException _) {
      return List.of();
    }
  }

  private Answer ask() {
    DiscoveredService discovered = new ServiceDiscovery(connection.runtime(), List.of()).ask(null);
    return new Answer(
        "",
        discovered.handlers().list().stream()
            .map(ServiceHandler::name)
            .filter(name -> !name.isEmpty())
            .sorted()
            .toList(),
        discovered
            .condition(RuntimeCondition.NETWORK)
            .filter(network -> !network.status())
            .map(network -> network.reason() + ": " + network.message())
            .orElse(""),
        missingImage());
  }

  /// containerd returns its configuration in a verbose status.
  private String missingImage() {
    try {
      String image = configured("sandboxImage");
      ImageSpec wanted = ImageSpec.newBuilder().setImage(image).build();
      boolean isThere =
          image.isEmpty() || connection.images().imageStatus(wanted, false).hasImage();
      return isThere ? "" : image;
    } catch (JsonProcessingException | CriException _) {
      return "";
    }
  }
}
