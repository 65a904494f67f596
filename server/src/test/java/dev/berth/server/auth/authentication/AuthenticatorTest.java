package dev.berth.server.auth.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.tokens.BootstrapTokens;
import dev.berth.server.auth.tokens.StaticTokens;
import dev.berth.server.errors.ApiException;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.MovableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {
  @TempDir Path directory;
  private final MovableClock clock = new MovableClock(Instant.parse("2026-05-01T00:00:00Z"));
  private final FakeObjects objects = new FakeObjects();
  private ClusterPki pki;
  private Authenticator authenticator;

  @BeforeEach
  void open() throws Exception {
    pki = ClusterPki.open(directory.resolve("pki"), clock, List.of());
    Path file = directory.resolve("tokens.csv");
    Files.writeString(file, "# people\nsecret1,admin,u1,\"system:masters, ops\"\nsecret2,bob,u2\n");
    authenticator =
        new Authenticator(
            new ClientCertificates(pki.clientAuthorities(), clock),
            List.of(StaticTokens.read(file), new BootstrapTokens(objects, clock)),
            List.of("api"));
  }

  @Test
  void certificateNamesUserAndGroups() {
    X509Certificate node = pki.client(ClientIdentity.node("n1")).certificate();
    UserInfo user = authenticator.authenticate(node, null);

    assertThat(user.name()).isEqualTo("system:node:n1");
    assertThat(user.groups()).containsExactly("system:nodes", "system:authenticated");
    assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .matches("X509SHA256=[0-9a-f]{64}");
  }

  @Test
  void namesWithSpecialCharactersSurvive() {
    ClientIdentity odd =
        new ClientIdentity("odd", "a,b=c+d\\\"<>#; ", List.of("x,O=system:masters", "ü"));
    UserInfo user = authenticator.authenticate(pki.client(odd).certificate(), null);

    assertThat(user.name()).isEqualTo("a,b=c+d\\\"<>#; ");
    assertThat(user.groups()).containsExactly("x,O=system:masters", "ü", "system:authenticated");
  }

  @Test
  void foreignExpiredEarlyAndServingCertificatesAreNoCredentials(@TempDir Path elsewhere) {
    ClusterPki foreign = ClusterPki.open(elsewhere, clock, List.of());
    assertUnauthorized(foreign.client(ClientIdentity.ADMIN).certificate(), null);
    assertUnauthorized(pki.servingCertificate(), null);

    X509Certificate admin = pki.client(ClientIdentity.ADMIN).certificate();
    assertThat(authenticator.authenticate(admin, null).name()).isEqualTo("kubernetes-admin");
    clock.advance(Duration.ofDays(-1));
    assertUnauthorized(admin, null);
    clock.advance(Duration.ofDays(367));
    assertUnauthorized(admin, null);
  }

  @Test
  void staticTokenNamesItsUser() {
    assertThat(authenticator.authenticate(null, "Bearer secret1"))
        .isEqualTo(
            new UserInfo(
                "admin", "u1", List.of("system:masters", "ops", "system:authenticated"), Map.of()));
    assertThat(authenticator.authenticate(null, "bearer secret2").groups())
        .containsExactly("system:authenticated");
  }

  @Test
  void goodTokenHelpsWhereTheCertificateIsNone(@TempDir Path elsewhere) {
    ClusterPki foreign = ClusterPki.open(elsewhere, clock, List.of());
    X509Certificate stranger = foreign.client(ClientIdentity.ADMIN).certificate();
    assertThat(authenticator.authenticate(stranger, "Bearer secret2").name()).isEqualTo("bob");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer nope", "Bearer secret", "Bearer secret11", "bearer x y"})
  void wrongTokenIsUnauthorized(String header) {
    assertUnauthorized(null, header);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "Basic YTpi", "Bearer", "Bearer ", "Bearersecret1"})
  void withoutCredentialsTheUserIsAnonymous(@Nullable String header) {
    assertThat(authenticator.authenticate(null, header))
        .isEqualTo(
            new UserInfo("system:anonymous", "", List.of("system:unauthenticated"), Map.of()));
  }

  @Test
  void bootstrapTokenIsGoodUntilItExpires() {
    objects.put(
        "secrets",
        "{'metadata':{'name':'bootstrap-token-abcdef','namespace':'kube-system'},"
            + "'type':'bootstrap.kubernetes.io/token','data':{"
            + "'token-id':'YWJjZGVm','token-secret':'MDEyMzQ1Njc4OWFiY2RlZg==',"
            + "'usage-bootstrap-authentication':'dHJ1ZQ==',"
            + "'auth-extra-groups':'c3lzdGVtOmJvb3RzdHJhcHBlcnM6d29ya2Vycw==',"
            + "'expiration':'MjAyNi0wNS0wMlQwMDowMDowMFo='}}");

    UserInfo user = authenticator.authenticate(null, "Bearer abcdef.0123456789abcdef");
    assertThat(user.name()).isEqualTo("system:bootstrap:abcdef");
    assertThat(user.groups())
        .containsExactly(
            "system:bootstrappers", "system:bootstrappers:workers", "system:authenticated");
    assertUnauthorized(null, "Bearer abcdef.0123456789abcdeX");
    assertUnauthorized(null, "Bearer abcdef.1123456789abcdef");
    clock.advance(Duration.ofDays(1));
    assertUnauthorized(null, "Bearer abcdef.0123456789abcdef");
  }

  @Test
  void brokenTokenFileIsToldByLineWithoutTheToken() throws Exception {
    Path file = directory.resolve("bad.csv");
    Files.writeString(file, "secret1,admin,u1\nsecret2,bob\n");

    assertThatThrownBy(() -> StaticTokens.read(file))
        .hasMessage(
            "cannot use the token file "
                + file
                + ", line 2: the line has 2 fields; it needs at least 3, with a non-empty token and user."
                + " Write token,user,uid and optionally a quoted list of groups");
  }

  private void assertUnauthorized(@Nullable X509Certificate certificate, @Nullable String header) {
    assertThatThrownBy(() -> authenticator.authenticate(certificate, header))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.status().code()).isEqualTo(401);
              assertThat(refusal.status().message()).isEqualTo("Unauthorized");
            });
  }
}
