package dev.berth.server.hostile;

import dev.berth.server.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/// Requests of well-behaved clients.
final class Requests {
  private Requests() {}

  static HttpResponse<String> get(HttpClient client, TestServer server, String path)
      throws IOException, InterruptedException {
    return send(client, HttpRequest.newBuilder(URI.create(server.url() + path)).GET());
  }

  static HttpResponse<String> post(
      HttpClient client, TestServer server, String path, String contentType, String body)
      throws IOException, InterruptedException {
    return with(client, server, "POST " + path, contentType, body);
  }

  /// @param line method and path
  static HttpResponse<String> with(
      HttpClient client, TestServer server, String line, String contentType, String body)
      throws IOException, InterruptedException {
    int space = line.indexOf(' ');
    return send(
        client,
        HttpRequest.newBuilder(URI.create(server.url() + line.substring(space + 1)))
            .header("Content-Type", contentType)
            .method(line.substring(0, space), BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
