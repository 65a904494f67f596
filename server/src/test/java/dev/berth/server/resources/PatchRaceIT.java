package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatchRaceIT {
  private static final int WRITERS = 8;
  private static final int PATCHES = 25;

  @TempDir Path directory;

  @Test
  void patchesThatNameNoRevisionAllSucceedHoweverManyComeAtOnce() throws Exception {
    try (TestServer server = TestServer.start(directory);
        HttpClient client = server.admin();
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      URI maps = URI.create(server.url() + "/api/v1/namespaces/default/configmaps");
      URI shared = URI.create(maps + "/shared");
      send(client, "POST", maps, "application/json", "{\"metadata\":{\"name\":\"shared\"}}");

      List<Callable<List<Integer>>> work = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String key = "writer-" + writer;
        work.add(() -> patches(client, shared, key));
      }

      for (Future<List<Integer>> codes : writers.invokeAll(work)) {
        assertThat(codes.get()).containsOnly(200);
      }
    }
  }

  @Test
  void firstAppliesOfOneObjectAtTheSameTimeAllSucceed() throws Exception {
    try (TestServer server = TestServer.start(directory);
        HttpClient client = server.admin();
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      String maps = server.url() + "/api/v1/namespaces/default/configmaps/";
      List<Integer> codes = new ArrayList<>();
      for (int round = 0; round < PATCHES; round++) {
        List<Callable<Integer>> work = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          String apply =
              """
              {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"map-%d"},"data":{"key-%d":"x"}}"""
                  .formatted(round, writer);
          URI target = URI.create(maps + "map-%d?fieldManager=writer-%d".formatted(round, writer));
          work.add(() -> send(client, "PATCH", target, "application/apply-patch+yaml", apply));
        }
        for (Future<Integer> code : writers.invokeAll(work)) {
          codes.add(code.get());
        }
      }
      assertThat(codes).containsOnly(200, 201);
      assertThat(codes.stream().filter(code -> code == 201)).hasSize(PATCHES);
    }
  }

  private static List<Integer> patches(HttpClient client, URI target, String key)
      throws IOException, InterruptedException {
    List<Integer> codes = new ArrayList<>();
    for (int round = 0; round < PATCHES; round++) {
      String patch = "{\"data\":{\"%s\":\"%d\"}}".formatted(key, round);
      codes.add(send(client, "PATCH", target, "application/merge-patch+json", patch));
    }
    return codes;
  }

  private static int send(HttpClient client, String verb, URI target, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .method(verb, BodyPublishers.ofString(body))
            .header("Content-Type", type)
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
