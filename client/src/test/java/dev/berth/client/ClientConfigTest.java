package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientConfigTest {
  /// Others need what adds tokens and passwords to requests.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "client-certificate-data: eA==, client-key-data: eA==           | true",
        "client-certificate: /c.pem, client-key: /k.pem                 | true",
        "client-certificate-data: eA==, client-key-data: eA==, token: t | false",
        "token: t                                                       | false",
        "username: u, password: p                                       | false",
        "client-certificate-data: eA==, username: u, password: p        | false",
      })
  void itKnowsWhetherACertificateIsAllItHas(String user, boolean expected) {
    ClientConfig config =
        ClientConfig.fromKubeconfigText(
            """
            apiVersion: v1
            kind: Config
            current-context: x
            clusters: [{name: x, cluster: {server: "https://127.0.0.1:6443"}}]
            contexts: [{name: x, context: {cluster: x, user: x}}]
            users: [{name: x, user: {%s}}]
            """
                .formatted(user));

    assertThat(config.isByCertificate()).isEqualTo(expected);
    assertThat(config.withUserAgent("a").isByCertificate()).isEqualTo(expected);
  }
}
