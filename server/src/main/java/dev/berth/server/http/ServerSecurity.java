package dev.berth.server.http;

import dev.berth.server.auth.authentication.Authenticator;
import dev.berth.server.auth.authentication.ClientCertificates;
import dev.berth.server.auth.authentication.IdentityReviews;
import dev.berth.server.auth.authentication.Impersonation;
import dev.berth.server.auth.authentication.TokenSource;
import dev.berth.server.auth.authorization.AccessReviews;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.auth.authorization.EscalationCheck;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.NodeGraph;
import dev.berth.server.auth.rbac.BootstrapPolicy;
import dev.berth.server.auth.rbac.RbacPolicy;
import dev.berth.server.auth.tokens.BootstrapTokens;
import dev.berth.server.auth.tokens.ServiceAccountTokens;
import dev.berth.server.auth.tokens.StaticTokens;
import dev.berth.server.auth.tokens.TokenRequests;
import dev.berth.server.http.endpoints.IssuerEndpoint;
import dev.berth.server.http.guard.RequestIdentity;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.resources.objects.LiveObjects;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoreInformer;
import dev.berth.server.resources.objects.StoredObject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Authentication, authorization and admission data, kept in step with the store.
///
/// Four informers for RBAC, one for pods and one for volume attachments keep the data of
/// authorization in memory. Their constructors return with the state of the store, so the first
/// request already finds all stored roles.
final class ServerSecurity implements AutoCloseable {
  private static final List<String> RBAC_BUCKETS =
      List.of("clusterroles", "roles", "clusterrolebindings", "rolebindings");

  private final RbacPolicy rbac = new RbacPolicy();
  private final NodeGraph nodes = new NodeGraph();
  private final BootstrapPolicy bootstrap = BootstrapPolicy.load();
  private final Authorizer authorizer;
  private final Authenticator authenticator;
  private final TokenRequests tokenRequests;
  private final ClusterPki pki;
  private final Clock clock;
  private final List<StoreInformer> followers = new ArrayList<>();

  /// @param tokenFile static bearer tokens; null for none
  ServerSecurity(
      ObjectStore store,
      ServedKinds kinds,
      LiveObjects objects,
      ClusterPki pki,
      @Nullable Path tokenFile,
      Clock clock) {
    this.pki = pki;
    this.clock = clock;
    authorizer = new Authorizer(rbac, new NodeAuthorizer(nodes, bootstrap));
    List<String> audiences = List.of(ServiceAccountTokens.ISSUER);
    ServiceAccountTokens tokens =
        new ServiceAccountTokens(
            pki.serviceAccountKeys(),
            ServiceAccountTokens.ISSUER,
            objects,
            clock,
            UUID::randomUUID);
    authenticator =
        new Authenticator(
            new ClientCertificates(pki::clientAuthorities, clock),
            tokenSources(tokenFile, tokens, new BootstrapTokens(objects, clock)),
            audiences);
    tokenRequests = new TokenRequests(tokens, objects, audiences, clock);
    for (String bucket : RBAC_BUCKETS) {
      ResourceKind kind = kinds.bucket(bucket + ".rbac.authorization.k8s.io").orElseThrow();
      followers.add(new StoreInformer(store, kind, rbacListener(store, kind)));
    }
    ResourceKind pods = kinds.bucket("pods").orElseThrow();
    followers.add(new StoreInformer(store, pods, podListener(store, pods)));
    ResourceKind attachments = kinds.bucket("volumeattachments.storage.k8s.io").orElseThrow();
    followers.add(new StoreInformer(store, attachments, attachmentListener(store, attachments)));
  }

  private static List<TokenSource> tokenSources(
      @Nullable Path file, ServiceAccountTokens accounts, BootstrapTokens bootstrap) {
    // The file comes first, because its tokens are compared without parsing; the other sources
    // refuse tokens of another form at once.
    return file == null
        ? List.of(accounts, bootstrap)
        : List.of(StaticTokens.read(file), accounts, bootstrap);
  }

  private StoreInformer.Listener rbacListener(ObjectStore store, ResourceKind kind) {
    return new StoreInformer.Listener() {
      @Override
      public void put(StoredObject object) {
        rbac.put(store.tree(kind, object));
      }

      @Override
      public void remove(StoredObject last) {
        rbac.remove(kind.names().kind(), last.namespace(), last.name());
      }
    };
  }

  private StoreInformer.Listener podListener(ObjectStore store, ResourceKind pods) {
    return new StoreInformer.Listener() {
      @Override
      public void put(StoredObject object) {
        // An unbound pod gives no node access to anything.
        if (!object.field("spec.nodeName").isEmpty()) {
          nodes.put(store.tree(pods, object));
        }
      }

      @Override
      public void remove(StoredObject last) {
        nodes.remove(last.namespace(), last.name());
      }
    };
  }

  private StoreInformer.Listener attachmentListener(ObjectStore store, ResourceKind attachments) {
    return new StoreInformer.Listener() {
      @Override
      public void put(StoredObject object) {
        nodes.putAttachment(store.tree(attachments, object));
      }

      @Override
      public void remove(StoredObject last) {
        nodes.removeAttachment(last.name());
      }
    };
  }

  Authorizer authorizer() {
    return authorizer;
  }

  RequestIdentity identification() {
    return new RequestIdentity(authenticator, new Impersonation(authorizer));
  }

  AccessReviews accessReviews() {
    return new AccessReviews(authorizer, rbac);
  }

  IdentityReviews identityReviews() {
    return new IdentityReviews(authenticator, clock);
  }

  EscalationCheck escalationCheck() {
    return new EscalationCheck(authorizer, rbac);
  }

  TokenRequests tokenRequests() {
    return tokenRequests;
  }

  BootstrapPolicy bootstrap() {
    return bootstrap;
  }

  IssuerEndpoint issuer() {
    return new IssuerEndpoint(pki.serviceAccountKeys());
  }

  @Override
  public void close() {
    followers.forEach(StoreInformer::close);
  }
}
