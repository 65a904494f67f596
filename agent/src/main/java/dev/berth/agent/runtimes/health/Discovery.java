package dev.berth.agent.runtimes.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.runtimes.health.Handlers.Source;
import dev.berth.agent.runtimes.registration.Handler;
import dev.berth.api.ShortText;
import dev.berth.cri.CriException;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.VersionResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks a runtime service who it is, how it is and what it offers.
public final class Discovery {
  /// As the API allows reasons of conditions.
  private static final int LONGEST_REASON = 1024;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RuntimeClient runtime;
  private final List<Handler> declared;

  public Discovery(RuntimeClient runtime, List<Handler> declared) {
    this.runtime = runtime;
    this.declared = List.copyOf(declared);
  }

  /// One call, if the rest is known already.
  ///
  /// @param known what the same server told before; null to ask for everything
  public Discovered ask(@Nullable Discovered known) {
    RuntimeVersion version = known == null ? version(runtime.version()) : known.version();
    StatusResponse status = runtime.status(false);
    return new Discovered(
        version,
        handlers(status, known),
        status.getStatus().getConditionsList().stream().map(Discovery::condition).toList(),
        status.getFeatures().getSupplementalGroupsPolicy(),
        status.getFeatures().getUserNamespacesHostNetwork());
  }

  private Handlers handlers(StatusResponse status, @Nullable Discovered known) {
    if (status.getRuntimeHandlersCount() > 0) {
      return new Handlers(
          Source.REPORTED,
          status.getRuntimeHandlersList().stream().map(Discovery::handler).toList());
    }
    // A runtime reads its configuration when it starts, so once per connection is enough.
    if (known != null && known.handlers().source() != Source.REPORTED) {
      return known.handlers();
    }
    List<Handler> configured = configured();
    if (!configured.isEmpty()) {
      return new Handlers(Source.CONFIGURED, configured);
    }
    return declared.isEmpty() ? Handlers.UNDISCLOSED : new Handlers(Source.DECLARED, declared);
  }

  /// containerd before 2.0 shows its configuration, with a table of runtimes, when asked to be
  /// verbose; others show none, or not as JSON.
  private List<Handler> configured() {
    List<Handler> handlers = new ArrayList<>();
    try {
      JsonNode config = JSON.readTree(runtime.status(true).getInfoOrDefault("config", "{}"));
      config
          .path("containerd")
          .path("runtimes")
          .fieldNames()
          .forEachRemaining(name -> handlers.add(Handler.named(name)));
    } catch (JsonProcessingException _) {
      return List.of();
    } catch (CriException e) {
      if (e.isUnavailable() || e.isCancelled()) {
        throw e;
      }
      return List.of();
    }
    return handlers;
  }

  private static Handler handler(RuntimeHandler handler) {
    return new Handler(
        handler.getName(),
        handler.getFeatures().getRecursiveReadOnlyMounts(),
        handler.getFeatures().getUserNamespaces());
  }

  private static RuntimeCondition condition(dev.berth.cri.v1.RuntimeCondition condition) {
    return new RuntimeCondition(
        condition.getType(),
        condition.getStatus(),
        ShortText.of(condition.getReason(), LONGEST_REASON),
        ShortText.of(condition.getMessage(), ShortText.MESSAGE));
  }

  public static RuntimeVersion version(VersionResponse response) {
    return new RuntimeVersion(
        response.getRuntimeName(), response.getRuntimeVersion(), response.getRuntimeApiVersion());
  }
}
