package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyPathTest {
  private static final String WEB = "/api/v1/namespaces/t/pods/web/proxy";

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/t/pods/web/proxy, /",
    "/api/v1/namespaces/t/pods/web/proxy?x=y, /?x=y",
    "/api/v1/namespaces/t/pods/web:80/proxy/a/proxy?x=y, /a/proxy?x=y",
    "/api/v1/namespaces/proxy/pods/proxy-1/proxy/, /",
  })
  void whatFollowsIsThePodsOwnPath(String path, String target) {
    assertThat(ProxyPath.parse(path, "pods").target()).isEqualTo(target);
  }

  @Test
  void aPageIsAskedForWithASlash() {
    ProxyPath bare = ProxyPath.parse(WEB + "?x=y", "pods");
    assertThat(bare.needsSlash("GET")).isTrue();
    assertThat(bare.needsSlash("HEAD")).isTrue();
    assertThat(bare.needsSlash("POST")).isFalse();
    assertThat(bare.withSlash()).isEqualTo(WEB + "/?x=y");
    assertThat(ProxyPath.parse(WEB + "/", "pods").needsSlash("GET")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/login?to=%2F#top, " + WEB + "/login?to=%2F#top",
    "/dir/, " + WEB + "/dir/",
    "http://10.1.2.3:8080/login, " + WEB + "/login",
    "https://api:6443/login, " + WEB + "/login",
    WEB + "/login, " + WEB + "/login",
    "login, login",
    "../x, ../x",
    "https://elsewhere/login, https://elsewhere/login",
    "/a b, /a b",
  })
  void redirectsLeadBehindTheProxy(String location, String here) {
    ProxyPath path = ProxyPath.parse(WEB + "/", "pods");
    assertThat(path.location(location, "10.1.2.3:8080", "api:6443")).isEqualTo(here);
  }
}
