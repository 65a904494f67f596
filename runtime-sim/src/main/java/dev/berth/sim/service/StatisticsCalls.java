package dev.berth.sim.service;

import dev.berth.cri.serving.GrpcAnswers;
import dev.berth.cri.v1.ContainerStatsRequest;
import dev.berth.cri.v1.ContainerStatsResponse;
import dev.berth.cri.v1.ListContainerStatsRequest;
import dev.berth.cri.v1.ListContainerStatsResponse;
import dev.berth.cri.v1.ListMetricDescriptorsRequest;
import dev.berth.cri.v1.ListMetricDescriptorsResponse;
import dev.berth.cri.v1.ListPodSandboxMetricsRequest;
import dev.berth.cri.v1.ListPodSandboxMetricsResponse;
import dev.berth.cri.v1.ListPodSandboxStatsRequest;
import dev.berth.cri.v1.ListPodSandboxStatsResponse;
import dev.berth.cri.v1.PodSandboxStatsRequest;
import dev.berth.cri.v1.PodSandboxStatsResponse;
import dev.berth.cri.v1.RuntimeServiceGrpc.RuntimeServiceImplBase;
import dev.berth.cri.v1.StreamContainerStatsRequest;
import dev.berth.cri.v1.StreamContainerStatsResponse;
import dev.berth.cri.v1.StreamPodSandboxMetricsRequest;
import dev.berth.cri.v1.StreamPodSandboxMetricsResponse;
import dev.berth.cri.v1.StreamPodSandboxStatsRequest;
import dev.berth.cri.v1.StreamPodSandboxStatsResponse;
import dev.berth.sim.model.UsageStatistics;
import io.grpc.stub.StreamObserver;

/// The methods of CRI's RuntimeService that report resource usage. They serve the kubelet's summary
/// and eviction; the metric calls serve its `/metrics/cadvisor`.
abstract class StatisticsCalls extends RuntimeServiceImplBase {
  private final UsageStatistics statistics;

  StatisticsCalls(UsageStatistics statistics) {
    this.statistics = statistics;
  }

  /// Fails for a container that does not run. Lists leave such a container out instead.
  @Override
  public void containerStats(
      ContainerStatsRequest request, StreamObserver<ContainerStatsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ContainerStatsResponse.newBuilder()
                .setStats(statistics.container(request.getContainerId()))
                .build());
  }

  @Override
  public void listContainerStats(
      ListContainerStatsRequest request, StreamObserver<ListContainerStatsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListContainerStatsResponse.newBuilder()
                .addAllStats(statistics.containers(request.getFilter()))
                .build());
  }

  @Override
  public void streamContainerStats(
      StreamContainerStatsRequest request, StreamObserver<StreamContainerStatsResponse> answer) {
    GrpcAnswers.chunks(
        answer,
        statistics.containers(request.getFilter()),
        chunk -> StreamContainerStatsResponse.newBuilder().addAllContainerStats(chunk).build());
  }

  @Override
  public void podSandboxStats(
      PodSandboxStatsRequest request, StreamObserver<PodSandboxStatsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            PodSandboxStatsResponse.newBuilder()
                .setStats(statistics.sandbox(request.getPodSandboxId()))
                .build());
  }

  @Override
  public void listPodSandboxStats(
      ListPodSandboxStatsRequest request, StreamObserver<ListPodSandboxStatsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListPodSandboxStatsResponse.newBuilder()
                .addAllStats(statistics.sandboxes(request.getFilter()))
                .build());
  }

  @Override
  public void streamPodSandboxStats(
      StreamPodSandboxStatsRequest request, StreamObserver<StreamPodSandboxStatsResponse> answer) {
    GrpcAnswers.chunks(
        answer,
        statistics.sandboxes(request.getFilter()),
        chunk -> StreamPodSandboxStatsResponse.newBuilder().addAllPodSandboxStats(chunk).build());
  }

  @Override
  public void listMetricDescriptors(
      ListMetricDescriptorsRequest request, StreamObserver<ListMetricDescriptorsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListMetricDescriptorsResponse.newBuilder()
                .addAllDescriptors(RuntimeMetrics.DESCRIPTORS)
                .build());
  }

  @Override
  public void listPodSandboxMetrics(
      ListPodSandboxMetricsRequest request, StreamObserver<ListPodSandboxMetricsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListPodSandboxMetricsResponse.newBuilder()
                .addAllPodMetrics(RuntimeMetrics.of(statistics))
                .build());
  }

  @Override
  public void streamPodSandboxMetrics(
      StreamPodSandboxMetricsRequest request,
      StreamObserver<StreamPodSandboxMetricsResponse> answer) {
    GrpcAnswers.chunks(
        answer,
        RuntimeMetrics.of(statistics),
        chunk ->
            StreamPodSandboxMetricsResponse.newBuilder().addAllPodSandboxMetrics(chunk).build());
  }
}
