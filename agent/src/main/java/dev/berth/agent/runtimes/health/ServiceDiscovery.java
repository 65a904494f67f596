package dev.berth.agent.runtimes.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.agent.runtimes.health.ServiceHandlers.Source;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.api.TruncatedText;
import dev.berth.cri.CriException;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.VersionResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks a runtime service for its version, handlers and conditions.
public final class ServiceDiscovery {
  /// The API's limit for reasons.
  private static final int LONGEST_REASON = 1024;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final RuntimeOptions NO_OPTIONS = RuntimeOptions.of(MissingNode.getInstance());

  private final RuntimeClient runtime;
  private final List<ServiceHandler> declared;

  public ServiceDiscovery(RuntimeClient runtime, List<ServiceHandler> declared) {
    this.runtime = runtime;
    this.declared = List.copyOf(declared);
  }

  /// Asks the service; one call if version and handlers are known.
  ///
  /// @param known the last answer of the same server; null to ask for everything
  public DiscoveredService ask(@Nullable DiscoveredService known) {
    RuntimeVersion version = known == null ? version(runtime.version()) : known.version();
    StatusResponse status = runtime.status(false);
    return new DiscoveredService(
        version,
        handlers(status, known),
        status.getStatus().getConditionsList().stream().map(ServiceDiscovery::condition).toList(),
        status.getFeatures().getSupplementalGroupsPolicy(),
        status.getFeatures().getUserNamespacesHostNetwork());
  }

  private ServiceHandlers handlers(StatusResponse status, @Nullable DiscoveredService known) {
    if (status.getRuntimeHandlersCount() > 0) {
      return new ServiceHandlers(Source.REPORTED, isolated(reported(status), known));
    }
    // A runtime reads its configuration at its start, so once per connection is enough.
    if (known != null && known.handlers().source() != Source.REPORTED) {
      return known.handlers();
    }
    List<ServiceHandler> configured = options().handlers();
    if (!configured.isEmpty()) {
      return new ServiceHandlers(
          Source.CONFIGURED, configured.stream().map(this::asRegistered).toList());
    }
    return declared.isEmpty()
        ? ServiceHandlers.UNDISCLOSED
        : new ServiceHandlers(Source.DECLARED, declared);
  }

  private static List<ServiceHandler> reported(StatusResponse status) {
    return status.getRuntimeHandlersList().stream().map(ServiceDiscovery::handler).toList();
  }

  /// CRI reports neither isolation nor platform of a handler; the options in the configuration do.
  private List<ServiceHandler> isolated(
      List<ServiceHandler> reported, @Nullable DiscoveredService known) {
    List<String> names = reported.stream().map(ServiceHandler::name).toList();
    if (known != null
        && known.handlers().list().stream().map(ServiceHandler::name).toList().equals(names)) {
      return reported.stream()
          .map(one -> known.handlers().find(one.name()).map(one::refinedBy).orElse(one))
          .toList();
    }
    RuntimeOptions options = options();
    return reported.stream().map(one -> asRegistered(options.describe(one))).toList();
  }

  /// The administrator's declaration overrides what the runtime reports.
  private ServiceHandler asRegistered(ServiceHandler handler) {
    return declared.stream()
        .filter(one -> one.name().equals(handler.name()))
        .findFirst()
        .map(handler::refinedBy)
        .orElse(handler);
  }

  /// containerd returns its configuration with a table of runtimes in a verbose status; others
  /// return none, or not as JSON.
  private RuntimeOptions options() {
    try {
      return RuntimeOptions.of(
          JSON.readTree(runtime.status(true).getInfoOrDefault("config", "{}")));
    } catch (JsonProcessingException _) {
      return NO_OPTIONS;
    } catch (CriException e) {
      if (e.isUnavailable() || e.isCancelled()) {
        throw e;
      }
      return NO_OPTIONS;
    }
  }

  private static ServiceHandler handler(RuntimeHandler handler) {
    return new ServiceHandler(
        handler.getName(),
        handler.getFeatures().getRecursiveReadOnlyMounts(),
        handler.getFeatures().getUserNamespaces());
  }

  private static RuntimeCondition condition(dev.berth.cri.v1.RuntimeCondition condition) {
    return new RuntimeCondition(
        condition.getType(),
        condition.getStatus(),
        TruncatedText.of(condition.getReason(), LONGEST_REASON),
        TruncatedText.of(condition.getMessage(), TruncatedText.MESSAGE));
  }

  public static RuntimeVersion version(VersionResponse response) {
    return new RuntimeVersion(
        response.getRuntimeName(), response.getRuntimeVersion(), response.getRuntimeApiVersion());
  }
}
