package dev.berth.server.audit;

import dev.berth.server.auth.UserInfo;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Starts an audit record for each request according to the policy.
///
/// The decision is made once per request, at its beginning. A request that the policy does not
/// record gets `RequestAudit.NONE`, which costs nothing.
public final class AuditRecorder implements AutoCloseable {
  private final AuditPolicy policy;
  private final AuditLog log;
  private final InstantSource clock;
  private final Counter events;
  private final Counter levels;

  private AuditRecorder(
      AuditPolicy policy, AuditLog log, InstantSource clock, PrometheusRegistry registry) {
    this.policy = policy;
    this.log = log;
    this.clock = clock;
    this.events =
        Counter.builder()
            .name("apiserver_audit_event_total")
            .help("Audit events that were made and handed to the audit log.")
            .register(registry);
    this.levels =
        Counter.builder()
            .name("apiserver_audit_level_total")
            .help("Requests by the level that the audit policy has for them.")
            .labelNames("level")
            .register(registry);
  }

  /// Opens the output of the configuration.
  ///
  /// @throws AuditFileException when the file cannot be written
  public static AuditRecorder open(
      AuditConfig config, InstantSource clock, PrometheusRegistry registry) {
    AuditOutput output =
        config
            .file()
            .<AuditOutput>map(file -> AuditFile.open(file, config.rotation(), clock))
            .orElseGet(StandardOutput::new);
    return new AuditRecorder(config.policy(), AuditLog.start(output, registry), clock, registry);
  }

  /// Starts the record of an authenticated request and writes its RequestReceived event.
  ///
  /// @param annotations supplies annotations of other components; read at later stages
  public RequestAudit received(
      AuditRequest request, UserInfo user, Supplier<Map<String, String>> annotations) {
    RequestAudit audit = begin(request, user, annotations);
    audit.received();
    return audit;
  }

  /// Starts the record of a request that failed authentication; only its answer is recorded.
  public RequestAudit unauthenticated(AuditRequest request) {
    return begin(request, null, Map::of);
  }

  private RequestAudit begin(
      AuditRequest request, @Nullable UserInfo user, Supplier<Map<String, String>> annotations) {
    AuditPolicy.Decision decision = policy.decide(request, user);
    levels.labelValues(decision.level().toString()).inc();
    return decision.level() == AuditLevel.NONE
        ? RequestAudit.NONE
        : new EventAudit(request, user, decision, annotations, clock, this::write);
  }

  private void write(byte[] event) {
    events.inc();
    log.add(event);
  }

  /// Writes buffered events, within a few seconds.
  @Override
  public void close() {
    log.close();
  }
}
