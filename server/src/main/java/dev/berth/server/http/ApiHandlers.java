package dev.berth.server.http;

import dev.berth.api.KubernetesVersion;
import dev.berth.server.admission.AdmissionChain;
import dev.berth.server.admission.images.ImageLookups;
import dev.berth.server.admission.images.SteeringSettings;
import dev.berth.server.admission.plugins.CertificateAdmission;
import dev.berth.server.admission.plugins.StandardAdmission;
import dev.berth.server.audit.AuditConfig;
import dev.berth.server.audit.AuditRecorder;
import dev.berth.server.discovery.DiscoveryDocuments;
import dev.berth.server.flowcontrol.FlowController;
import dev.berth.server.flowcontrol.FlowLimits;
import dev.berth.server.http.encoding.AnswerWriter;
import dev.berth.server.http.encoding.BinaryFormat;
import dev.berth.server.http.encoding.BodyReader;
import dev.berth.server.http.encoding.ObjectViews;
import dev.berth.server.http.endpoints.HealthEndpoint;
import dev.berth.server.http.endpoints.MetricsEndpoint;
import dev.berth.server.http.endpoints.NodeCertificates;
import dev.berth.server.http.endpoints.NonResourcePaths;
import dev.berth.server.http.endpoints.OpenApiEndpoint;
import dev.berth.server.http.endpoints.ServerVersion;
import dev.berth.server.http.guard.FlowControl;
import dev.berth.server.http.guard.InflightLimits;
import dev.berth.server.http.guard.InflightRequests;
import dev.berth.server.http.guard.ListCost;
import dev.berth.server.http.guard.RequestAudits;
import dev.berth.server.http.guard.RequestGuard;
import dev.berth.server.http.guard.RequestMetrics;
import dev.berth.server.http.nodeproxy.NodeBackends;
import dev.berth.server.http.nodeproxy.PodStreams;
import dev.berth.server.http.routing.MetricsDispatcher;
import dev.berth.server.http.routing.ResourceDispatcher;
import dev.berth.server.http.routing.ReviewDispatcher;
import dev.berth.server.http.routing.SubresourceDispatcher;
import dev.berth.server.http.routing.WatchServer;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.OpenStreams;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.metricsapi.MetricsApi;
import dev.berth.server.openapi.OpenApi;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.resources.ResourceVerbs;
import dev.berth.server.resources.WriteRules;
import dev.berth.server.resources.objects.LiveObjects;
import dev.berth.server.resources.objects.LiveQuotas;
import dev.berth.server.resources.objects.LiveRuntimes;
import dev.berth.server.resources.objects.ObjectCodec;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.system.ServerEndpoints;
import dev.berth.server.resources.system.SystemObjects;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.store.Store;
import dev.berth.store.StoreHealth;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.eclipse.jetty.server.Handler;
import org.jspecify.annotations.Nullable;

/// Builds the request path: the composition root of `server.http`.
///
/// Only this class knows all rooms; each of them gets its collaborators through its constructor.
/// `create` also makes the system's objects, so a server that accepts connections has its roles and
/// namespaces.
public final class ApiHandlers {
  /// A client may create a pod right after its namespace; the namespace's service account follows a
  /// moment later.
  private static final Duration DEFAULT_ACCOUNT_PATIENCE = Duration.ofSeconds(1);

  private final ApiHandler handler;
  private final OpenStreams streams;
  private final ServerSecurity security;
  private final LiveRuntimes runtimes;
  private final ImageLookups images;
  private final RequestAudits audits;
  private final PrometheusRegistry metrics;
  private final BiFunction<InetSocketAddress, String, ServerEndpoints> announcements;

  private ApiHandlers(
      ApiHandler handler,
      OpenStreams streams,
      ServerSecurity security,
      LiveRuntimes runtimes,
      ImageLookups images,
      RequestAudits audits,
      PrometheusRegistry metrics,
      BiFunction<InetSocketAddress, String, ServerEndpoints> announcements) {
    this.handler = handler;
    this.streams = streams;
    this.security = security;
    this.runtimes = runtimes;
    this.images = images;
    this.audits = audits;
    this.metrics = metrics;
    this.announcements = announcements;
  }

  /// The registry behind `/metrics`; other parts of the process may register metrics too.
  public PrometheusRegistry metrics() {
    return metrics;
  }

  public static ApiHandlers create(
      ObjectSchema schema,
      ServedKinds kinds,
      Store<StoredObject> store,
      ObjectCodec codec,
      ClusterPki pki,
      HttpConfig config,
      Clock clock) {
    HttpLimits limits = config.limits();
    ObjectStore objects = new ObjectStore(store, codec);
    LiveObjects live = new LiveObjects(objects, kinds);
    ServerSecurity security =
        new ServerSecurity(objects, kinds, live, pki, config.tokenFile(), clock);
    RandomGenerator random = RandomGenerator.getDefault();
    LiveRuntimes runtimes = new LiveRuntimes(objects, kinds);
    PrometheusRegistry registry = new PrometheusRegistry();
    AuditConfig audit = config.audit();
    RequestAudits audits =
        new RequestAudits(audit == null ? null : AuditRecorder.open(audit, clock, registry));
    SteeringSettings steering = config.admission().steering();
    ImageLookups images = ImageLookups.open(steering.limit(), steering.registries());
    AdmissionChain admission =
        StandardAdmission.chain(
            config.admission(),
            live,
            new LiveQuotas(objects, kinds),
            runtimes,
            security.escalationCheck(),
            new CertificateAdmission(security.authorizer(), clock),
            images,
            random,
            DEFAULT_ACCOUNT_PATIENCE,
            registry);
    WriteRules rules = new WriteRules(objects, kinds, admission);
    ResourceVerbs verbs =
        new ResourceVerbs(rules, kinds, schema, UUID::randomUUID, random, System::nanoTime);
    BinaryFormat binary = new BinaryFormat(schema, kinds);
    BodyReader bodies = new BodyReader(binary);
    AnswerWriter answers = new AnswerWriter(binary, new ObjectViews());
    OpenStreams streams = new OpenStreams();
    InflightRequests inflight =
        new InflightRequests(config.inflight().countedOnly(), limits.streams());
    NodeBackends nodes = new NodeBackends(objects, kinds, pki);
    ApiHandler handler =
        new ApiHandler(
            new RequestGuard(
                security.identification(),
                new FlowControl(
                    inflight, new ListCost(objects, kinds), fairness(config.inflight(), registry)),
                security.authorizer(),
                audits),
            endpoints(
                schema,
                kinds,
                new HealthEndpoint(() -> storeProblem(store), () -> stopping(streams)),
                security,
                registry,
                new NodeCertificates(pki, live, security.authorizer())),
            new ReviewDispatcher(
                kinds,
                schema,
                security.accessReviews(),
                security.identityReviews(),
                bodies,
                answers),
            new MetricsDispatcher(
                new MetricsApi(objects, kinds, MetricsDispatcher.source(nodes), clock), answers),
            resources(
                schema,
                kinds,
                new PodStreams(objects, nodes, limits),
                verbs,
                security,
                bodies,
                answers,
                limits,
                clock),
            answers,
            new RequestMetrics(registry, kinds, inflight),
            streams,
            limits,
            store.isShared());
    new SystemObjects(kinds, verbs, clock).ensureAll(security.bootstrap(), live);
    return new ApiHandlers(
        handler,
        streams,
        security,
        runtimes,
        images,
        audits,
        registry,
        (own, service) ->
            new ServerEndpoints(objects, kinds, verbs, own, service, store.isShared(), clock));
  }

  private static @Nullable FlowController fairness(
      InflightLimits inflight, PrometheusRegistry registry) {
    return inflight.fairness()
        ? new FlowController(FlowLimits.of(inflight.seats()), System::nanoTime, registry)
        : null;
  }

  private static ResourceDispatcher resources(
      ObjectSchema schema,
      ServedKinds kinds,
      PodStreams streams,
      ResourceVerbs verbs,
      ServerSecurity security,
      BodyReader bodies,
      AnswerWriter answers,
      HttpLimits limits,
      Clock clock) {
    SubresourceDispatcher subresources =
        new SubresourceDispatcher(
            verbs, bodies, answers, security.tokenRequests(), streams, schema);
    return new ResourceDispatcher(
        kinds,
        verbs,
        subresources,
        bodies,
        answers,
        new WatchServer(verbs.watcher(), new ObjectViews(), answers.binary(), limits, clock),
        schema,
        clock);
  }

  private static NonResourcePaths endpoints(
      ObjectSchema schema,
      ServedKinds kinds,
      HealthEndpoint health,
      ServerSecurity security,
      PrometheusRegistry registry,
      NodeCertificates nodes) {
    return new NonResourcePaths(
        new DiscoveryDocuments(kinds),
        new OpenApiEndpoint(new OpenApi(schema, kinds, KubernetesVersion.GIT_VERSION)),
        health,
        new MetricsEndpoint(registry),
        security.issuer(),
        nodes,
        ServerVersion.document());
  }

  public static Optional<String> stopping(OpenStreams streams) {
    return streams.isEnding() ? Optional.of("the server is stopping") : Optional.empty();
  }

  private static Optional<String> storeProblem(Store<?> store) {
    return switch (store.health()) {
      case StoreHealth.Ok() -> Optional.empty();
      case StoreHealth.Degraded degraded -> Optional.of(degraded.toString());
    };
  }

  /// Publishes the server's address in `default/kubernetes`.
  ///
  /// @param address the address at which clients reach the server
  /// @param service the cluster IP of the Service
  public ServerEndpoints announce(InetSocketAddress address, String service) {
    ServerEndpoints made = announcements.apply(address, service);
    made.start();
    return made;
  }

  public Handler handler() {
    return handler;
  }

  /// Ends all watches so that the server can stop.
  ///
  /// The order of a stop is: streams, listener, audit log, store. Watches must end first, because
  /// the listener waits for open requests.
  public void endStreams() {
    streams.endAll();
    security.close();
    runtimes.close();
    images.close();
  }

  /// Flushes the audit log; to be called when no request is handled any more.
  public void endAudit() {
    audits.close();
  }
}
