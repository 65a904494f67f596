package dev.berth.cri;

import dev.berth.cri.CriCalls.Listing;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ListContainerStatsRequest;
import dev.berth.cri.v1.ListContainerStatsResponse;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListContainersResponse;
import dev.berth.cri.v1.ListPodSandboxMetricsRequest;
import dev.berth.cri.v1.ListPodSandboxMetricsResponse;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.ListPodSandboxResponse;
import dev.berth.cri.v1.ListPodSandboxStatsRequest;
import dev.berth.cri.v1.ListPodSandboxStatsResponse;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetrics;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import dev.berth.cri.v1.StreamContainerStatsRequest;
import dev.berth.cri.v1.StreamContainerStatsResponse;
import dev.berth.cri.v1.StreamContainersRequest;
import dev.berth.cri.v1.StreamContainersResponse;
import dev.berth.cri.v1.StreamPodSandboxMetricsRequest;
import dev.berth.cri.v1.StreamPodSandboxMetricsResponse;
import dev.berth.cri.v1.StreamPodSandboxStatsRequest;
import dev.berth.cri.v1.StreamPodSandboxStatsResponse;
import dev.berth.cri.v1.StreamPodSandboxesRequest;
import dev.berth.cri.v1.StreamPodSandboxesResponse;
import java.util.List;

/// The list calls of CRI's RuntimeService. Each exists as a streaming call and as an older unary
/// call.
///
/// The streaming calls exist since Kubernetes 1.36; `CriCalls.list` remembers the services that
/// lack them.
final class RuntimeLists {
  private final CriCalls calls;
  private final CriDeadlines deadlines;

  RuntimeLists(CriCalls calls, CriDeadlines deadlines) {
    this.calls = calls;
    this.deadlines = deadlines;
  }

  List<PodSandbox> sandboxes(PodSandboxFilter filter) {
    return calls.list(
        new Listing<>(
            RuntimeOperations.STREAM_POD_SANDBOXES,
            StreamPodSandboxesResponse::getPodSandboxesList),
        StreamPodSandboxesRequest.newBuilder().setFilter(filter).build(),
        new Listing<>(RuntimeOperations.LIST_POD_SANDBOX, ListPodSandboxResponse::getItemsList),
        ListPodSandboxRequest.newBuilder().setFilter(filter).build(),
        deadlines.ordinary());
  }

  List<Container> containers(ContainerFilter filter) {
    return calls.list(
        new Listing<>(
            RuntimeOperations.STREAM_CONTAINERS, StreamContainersResponse::getContainersList),
        StreamContainersRequest.newBuilder().setFilter(filter).build(),
        new Listing<>(RuntimeOperations.LIST_CONTAINERS, ListContainersResponse::getContainersList),
        ListContainersRequest.newBuilder().setFilter(filter).build(),
        deadlines.ordinary());
  }

  List<ContainerStats> containerStats(ContainerStatsFilter filter) {
    return calls.list(
        new Listing<>(
            RuntimeOperations.STREAM_CONTAINER_STATS,
            StreamContainerStatsResponse::getContainerStatsList),
        StreamContainerStatsRequest.newBuilder().setFilter(filter).build(),
        new Listing<>(
            RuntimeOperations.LIST_CONTAINER_STATS, ListContainerStatsResponse::getStatsList),
        ListContainerStatsRequest.newBuilder().setFilter(filter).build(),
        deadlines.ordinary());
  }

  List<PodSandboxStats> sandboxStats(PodSandboxStatsFilter filter) {
    return calls.list(
        new Listing<>(
            RuntimeOperations.STREAM_POD_SANDBOX_STATS,
            StreamPodSandboxStatsResponse::getPodSandboxStatsList),
        StreamPodSandboxStatsRequest.newBuilder().setFilter(filter).build(),
        new Listing<>(
            RuntimeOperations.LIST_POD_SANDBOX_STATS, ListPodSandboxStatsResponse::getStatsList),
        ListPodSandboxStatsRequest.newBuilder().setFilter(filter).build(),
        deadlines.ordinary());
  }

  List<PodSandboxMetrics> sandboxMetrics() {
    return calls.list(
        new Listing<>(
            RuntimeOperations.STREAM_POD_SANDBOX_METRICS,
            StreamPodSandboxMetricsResponse::getPodSandboxMetricsList),
        StreamPodSandboxMetricsRequest.getDefaultInstance(),
        new Listing<>(
            RuntimeOperations.LIST_POD_SANDBOX_METRICS,
            ListPodSandboxMetricsResponse::getPodMetricsList),
        ListPodSandboxMetricsRequest.getDefaultInstance(),
        deadlines.ordinary());
  }
}
