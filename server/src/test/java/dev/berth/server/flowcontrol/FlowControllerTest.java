package dev.berth.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class FlowControllerTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final SocketAddress IN_PROCESS = new SocketAddress() {};

  private final PrometheusRegistry registry = new PrometheusRegistry();

  private FlowController controller(int seats, Duration patience) {
    return new FlowController(new FlowLimits(seats, 4, patience), System::nanoTime, registry);
  }

  private static FlowRequest of(String user, String... groups) {
    return new FlowRequest(
        UserInfo.of(user, groups), user, IN_PROCESS, "get", true, "", "", "pods", "", "default");
  }

  private static FlowRequest user(String name) {
    return of(name, UserInfo.AUTHENTICATED);
  }

  private String metrics() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aRequestWaitsForItsSeatAndIsCounted() throws Exception {
    FlowController one = controller(1, LONG);
    FlowTicket first = one.arrive(user("ann"), RequestCost.ONE);
    FlowTicket second = one.arrive(user("bob"), RequestCost.ONE);
    assertThat(first.isWaiting()).isFalse();
    assertThat(second.isWaiting()).isTrue();
    String labels = "{flow_schema=\"global-default\",priority_level=\"global-default\"} ";
    assertThat(metrics())
        .contains("apiserver_flowcontrol_current_inqueue_requests" + labels + "1.0\n")
        .contains("apiserver_flowcontrol_current_executing_requests" + labels + "1.0\n")
        .contains("apiserver_flowcontrol_current_executing_seats" + labels + "1.0\n")
        .contains("apiserver_flowcontrol_dispatched_requests_total" + labels + "1.0\n")
        .contains("apiserver_flowcontrol_nominal_limit_seats{priority_level=\"workload-low\"} 1.0");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> served = threads.submit(second::await);
      first.leave();
      first.leave();
      served.get();
    }
    second.leave();
    assertThat(metrics())
        .contains("apiserver_flowcontrol_current_inqueue_requests" + labels + "0.0\n")
        .contains("apiserver_flowcontrol_current_executing_seats" + labels + "0.0\n")
        .contains("apiserver_flowcontrol_dispatched_requests_total" + labels + "2.0\n")
        .contains(
            "apiserver_flowcontrol_request_wait_duration_seconds_count{execute=\"true\","
                + "flow_schema=\"global-default\",priority_level=\"global-default\"} 2\n");
  }

  @Test
  void whoWaitsTooLongIsRefusedInTheWordsOfTheMetric() throws Exception {
    FlowController one = controller(1, Duration.ZERO);
    FlowTicket held = one.arrive(user("ann"), RequestCost.ONE);
    FlowTicket late = one.arrive(user("bob"), RequestCost.ONE);
    assertThatThrownBy(late::await)
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.status().code()).isEqualTo(429);
              assertThat(e.status().message())
                  .isEqualTo(
                      "Too many requests, please try again later. time-out: no seat became free in"
                          + " 0 s (priority level global-default, flow schema global-default)");
            });
    late.leave();
    held.leave();
    FlowTicket next = one.arrive(user("bob"), RequestCost.ONE);
    assertThat(next.isWaiting()).isFalse();
    assertThat(metrics())
        .contains(
            "apiserver_flowcontrol_rejected_requests_total{flow_schema=\"global-default\","
                + "priority_level=\"global-default\",reason=\"time-out\"} 1.0\n");
  }

  @Test
  void aFullQueueIsRefusedAtOnce() {
    FlowController one = controller(1, LONG);
    for (int i = 0; i <= PriorityLevel.QUEUE_LENGTH; i++) {
      FlowTicket _ = one.arrive(user("ann"), RequestCost.ONE);
    }
    assertThatThrownBy(() -> one.arrive(user("ann"), RequestCost.ONE))
        .hasMessage(
            "Too many requests, please try again later. queue-full: 50 requests of this flow, 4800"
                + " of its namespace or address, or 6400 of its priority level, wait already"
                + " (priority level global-default, flow schema global-default)");
    assertThat(one.arrive(user("bob"), RequestCost.ONE).isWaiting()).isTrue();
  }

  @Test
  void anInterruptedRequestGivesItsPlaceUp() throws Exception {
    FlowController one = controller(1, LONG);
    FlowTicket held = one.arrive(user("ann"), RequestCost.ONE);
    FlowTicket late = one.arrive(user("bob"), RequestCost.ONE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(late::await).hasMessageContaining("cancelled: the server is stopping");
    assertThat(Thread.interrupted()).isTrue();
    held.leave();
    assertThat(metrics()).contains("reason=\"cancelled\"} 1.0\n");
  }

  @Test
  void administratorsNeverWait() {
    FlowController one = controller(1, LONG);
    for (int i = 0; i < 1_000; i++) {
      FlowTicket ticket = one.arrive(of("root", UserInfo.MASTERS), RequestCost.ofObjects(10_000));
      assertThat(ticket.isWaiting()).isFalse();
    }
  }

  /// Many threads of many users: never more at once than there are seats, and nobody is lost.
  @Test
  void seatsAreNeverGivenTwice() throws Exception {
    FlowController few = controller(60, LONG);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<Integer>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        FlowRequest request = user("user-" + i % 8);
        Callable<Integer> task =
            () -> {
              for (int j = 0; j < 200; j++) {
                FlowTicket ticket = few.arrive(request, RequestCost.ONE);
                ticket.await();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                LockSupport.parkNanos(1_000);
                inside.decrementAndGet();
                ticket.leave();
              }
              return 200;
            };
        results.add(threads.submit(task));
      }
      int sum = 0;
      for (Future<Integer> result : results) {
        sum += result.get();
      }
      assertThat(sum).isEqualTo(40_000);
    }
    assertThat(inside).hasValue(0);
    assertThat(most.get()).isLessThanOrEqualTo(60);
    assertThat(metrics())
        .contains(
            "apiserver_flowcontrol_current_executing_seats{flow_schema=\"global-default\","
                + "priority_level=\"global-default\"} 0.0\n");
  }
}
