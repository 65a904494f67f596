package dev.berth.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.UserInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests of upstream's built-in users, and the flow that each of them belongs to.
class FlowSchemasTest {
  private static final SocketAddress CLIENT = InetSocketAddress.createUnresolved("a", 1);

  @ParameterizedTest
  @CsvSource({
    // user, group, verb, what, schema, level, flow
    "admin,system:masters,list,/pods,exempt,exempt,''",
    "ann,system:authenticated,get,/readyz,probes,exempt,''",
    "ann,system:authenticated,get,/readyz/store,probes,exempt,''",
    "ann,system:authenticated,get,/readyzz,global-default,global-default,ann",
    "system:kube-scheduler,system:authenticated,update,coordination.k8s.io/leases,"
        + "system-leader-election,leader-election,system:kube-scheduler",
    "system:kube-scheduler,system:authenticated,list,coordination.k8s.io/leases,"
        + "kube-scheduler,workload-high,web",
    "system:kube-controller-manager,system:authenticated,create,/pods,"
        + "kube-controller-manager,workload-high,web",
    "system:kube-controller-manager,system:authenticated,update,/endpoints,"
        + "endpoint-controller,workload-high,system:kube-controller-manager",
    "system:node:a,system:nodes,update,coordination.k8s.io/leases,"
        + "system-node-high,node-high,system:node:a",
    "system:node:a,system:nodes,patch,/nodes/status,system-node-high,node-high,system:node:a",
    "system:node:a,system:nodes,patch,/pods/status,system-nodes,system,system:node:a",
    "system:serviceaccount:kube-system:dns,system:authenticated,update,"
        + "coordination.k8s.io/leases,system-leader-election,leader-election,"
        + "system:serviceaccount:kube-system:dns",
    "system:serviceaccount:kube-system:dns,system:authenticated,list,/pods,"
        + "kube-system-service-accounts,workload-high,web",
    "system:serviceaccount:web:app,system:authenticated,update,coordination.k8s.io/leases,"
        + "service-accounts,workload-low,system:serviceaccount:web:app",
    "ann,system:authenticated,update,coordination.k8s.io/leases,global-default,global-default,ann",
    "system:anonymous,system:unauthenticated,get,/version,"
        + "global-default,global-default,system:anonymous",
    "ann,nobody,get,/pods,catch-all,catch-all,ann",
  })
  void everyRequestHasItsFlow(
      String user,
      String group,
      String verb,
      String what,
      String schema,
      String level,
      String flow) {
    FlowRequest request = request(UserInfo.of(user, group), verb, what);

    FlowSchema found = FlowSchemas.of(request);

    assertThat(found.name()).isEqualTo(schema);
    assertThat(found.level().title()).isEqualTo(level);
    assertThat(found.flow(request)).isEqualTo(flow);
  }

  @ParameterizedTest
  @CsvSource({
    // user, group, address, origins
    "system:serviceaccount:web:app,system:authenticated,192.0.2.1,192.0.2.1 web",
    "system:serviceaccount:web:app,system:authenticated,,web",
    "ann,system:authenticated,192.0.2.1,192.0.2.1",
    "ann,system:authenticated,2001:db8::1,20010db800000000",
    "ann,system:authenticated,,''",
    "system:anonymous,system:unauthenticated,192.0.2.1,192.0.2.1",
    "ann,nobody,192.0.2.1,192.0.2.1",
    "system:node:a,system:nodes,192.0.2.1,''",
    "system:kube-scheduler,system:authenticated,192.0.2.1,''",
    "system:serviceaccount:kube-system:dns,system:authenticated,192.0.2.1,''",
  })
  void accountsAreOfAnAddressAndANamespaceAndUsersOfAnAddress(
      String user, String group, @Nullable String address, String expected) {
    FlowRequest request =
        new FlowRequest(
            UserInfo.of(user, group),
            user,
            address == null ? CLIENT : new InetSocketAddress(InetAddress.ofLiteral(address), 1),
            "list",
            true,
            "",
            "",
            "pods",
            "",
            "web");

    assertThat(FlowOrigin.of(request).stream().map(FlowOrigin::value))
        .containsExactly(expected.isEmpty() ? new String[0] : expected.split(" ", -1));
  }

  private static FlowRequest request(UserInfo user, String verb, String what) {
    String[] parts = what.split("/", -1);
    boolean isPath = what.startsWith("/readyz") || what.startsWith("/version");
    return new FlowRequest(
        user,
        user.name(),
        CLIENT,
        verb,
        !isPath,
        isPath ? what : "",
        isPath ? "" : parts[0],
        isPath ? "" : parts[1],
        !isPath && parts.length > 2 ? parts[2] : "",
        "web");
  }

  @Test
  void levelsShareTheSeatsAsUpstream() {
    assertThat(PriorityLevel.values())
        .extracting(level -> level.nominalSeats(600))
        .containsExactly(0, 74, 98, 25, 98, 245, 49, 13);
    assertThat(PriorityLevel.values())
        .extracting(level -> level.ownSeats(600))
        .containsExactly(0, 50, 74, 25, 49, 25, 25, 13);
  }

  @Test
  void aListCostsByItsObjects() {
    assertThat(RequestCost.ofObjects(0)).isEqualTo(RequestCost.ONE);
    assertThat(RequestCost.ofObjects(100)).isEqualTo(RequestCost.ONE);
    assertThat(RequestCost.ofObjects(101)).isEqualTo(new RequestCost(2, false));
    assertThat(RequestCost.ofObjects(200)).isEqualTo(new RequestCost(2, true));
    assertThat(RequestCost.ofObjects(1_000_000)).isEqualTo(new RequestCost(10, true));
  }
}
