package dev.berth.server.resources.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.StoreFixture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerEndpointsTest {
  private static final long LATER = Duration.ofSeconds(31).toNanos();

  private final StoreFixture fixture = new StoreFixture();
  private String serviceAddress = "10.96.0.1";
  private Instant time = Instant.parse("2026-01-01T00:00:00Z");

  @AfterEach
  void stop() {
    fixture.close();
  }

  private ServerEndpoints server(String address, int port, boolean isShared) {
    return new ServerEndpoints(
        fixture.store(),
        fixture.kinds(),
        fixture.verbs(),
        new InetSocketAddress(address, port),
        serviceAddress,
        isShared,
        () -> time);
  }

  private JsonNode read(String bucket) {
    ResourceKind kind = fixture.kinds().bucket(bucket).orElseThrow();
    return fixture.store().get(kind, "default", "kubernetes").value().tree();
  }

  private List<String> addresses() {
    List<String> all = new ArrayList<>();
    for (JsonNode subset : read("endpoints").path("subsets")) {
      for (JsonNode address : subset.path("addresses")) {
        all.add(address.path("ip").asText() + ":" + subset.at("/ports/0/port").asInt());
      }
    }
    return all;
  }

  private int leases() {
    ResourceKind kind = fixture.kinds().bucket("leases.coordination.k8s.io").orElseThrow();
    return fixture.store().list(kind, "kube-system").size();
  }

  @Test
  void aServerAloneIsFoundByItsAddressAndWritesNothingTwice() {
    ServerEndpoints server = server("192.0.2.1", 6443, false);
    server.reconcile(0);
    long revision = fixture.store().raw().revision();
    server.reconcile(LATER);

    assertThat(fixture.store().raw().revision()).isEqualTo(revision);
    assertThat(addresses()).containsExactly("192.0.2.1:6443");
    assertThat(leases()).isZero();
    JsonNode service = read("services");
    assertThat(service.at("/spec/ports/0").toString())
        .isEqualTo("{\"name\":\"https\",\"protocol\":\"TCP\",\"port\":443,\"targetPort\":6443}");
    assertThat(service.at("/spec/type").asText()).isEqualTo("ClusterIP");
    assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("10.96.0.1");
    assertThat(service.at("/spec/clusterIPs").toString()).isEqualTo("[\"10.96.0.1\"]");
    assertThat(service.at("/metadata/annotations").toString())
        .isEqualTo("{\"berth.dev/cluster-ip-routed\":\"false\"}");
    assertThat(service.at("/metadata/labels/component").asText()).isEqualTo("apiserver");
  }

  @Test
  void serversOfOneStoreAreAllThereUntilTheyDieOrStop() {
    ServerEndpoints one = server("192.0.2.1", 6443, true);
    ServerEndpoints two = server("192.0.2.2", 6443, true);
    ServerEndpoints three = server("192.0.2.3", 7443, true);
    for (ServerEndpoints server : List.of(one, two, three, one)) {
      server.reconcile(0);
    }
    assertThat(addresses()).containsExactly("192.0.2.1:6443", "192.0.2.2:6443", "192.0.2.3:7443");

    time = time.plusSeconds(20);
    two.reconcile(LATER / 2);
    three.close();
    assertThat(addresses()).containsExactly("192.0.2.1:6443", "192.0.2.2:6443");

    one.reconcile(LATER / 2);
    time = time.plusSeconds(20);
    one.reconcile(LATER / 2 + LATER);
    assertThat(addresses()).containsExactly("192.0.2.1:6443");
    assertThat(leases()).isEqualTo(1);

    two.reconcile(0);
    assertThat(addresses()).containsExactly("192.0.2.1:6443", "192.0.2.2:6443");
  }

  @Test
  void whatSomebodyChangedOrDeletedIsPutRight() {
    ServerEndpoints server = server("192.0.2.1", 6443, false);
    server.reconcile(0);
    ResourceKind kind = fixture.kinds().bucket("endpoints").orElseThrow();
    fixture.store().delete(fixture.store().get(kind, "default", "kubernetes"));

    server.reconcile(LATER);

    assertThat(addresses()).containsExactly("192.0.2.1:6443");
  }

  @Test
  void theServiceGetsAnAddressOfANewRange() {
    server("192.0.2.1", 6443, false).reconcile(0);
    serviceAddress = "10.0.0.1";
    ServerEndpoints server = server("192.0.2.1", 6443, false);
    server.reconcile(LATER);
    long revision = fixture.store().raw().revision();
    server.reconcile(2 * LATER);

    assertThat(read("services").at("/spec/clusterIP").asText()).isEqualTo("10.0.0.1");
    assertThat(fixture.store().raw().revision()).isEqualTo(revision);
  }

  @Test
  void aServerThatOnlyItsMachineReachesHasAServiceWithoutAddresses() {
    server("127.0.0.1", 6443, false).reconcile(0);

    assertThat(addresses()).isEmpty();
    assertThat(read("services").at("/spec/ports/0/targetPort").asInt()).isEqualTo(6443);
  }
}
