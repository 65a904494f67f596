package dev.berth.launch.connection;

import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.client.NoAnswerException;
import dev.berth.server.ApiServer;
import dev.berth.server.http.transport.LocalConnection;
import dev.berth.server.pki.KeyAndCertificate;
import java.io.IOException;
import java.time.Duration;

/// Carries requests to the API server of the same process.
///
/// Requests skip TLS and sockets and pass authentication, authorization and admission like any
/// other, so that a component has the rights of its identity and no more.
public final class LocalTransport implements ApiTransport {
  /// The limit of a request, as over HTTPS; a component must not hang because the server of its
  /// process does.
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final LocalConnection connection;

  private LocalTransport(LocalConnection connection) {
    this.connection = connection;
  }

  public static ApiClient client(ApiServer server, KeyAndCertificate credential, String userAgent) {
    return new ApiClient(new LocalTransport(server.connect(credential, userAgent)));
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    try {
      LocalConnection.Answer answer =
          connection.send(
              request.method(),
              request.target(),
              request.accept(),
              request.contentType(),
              request.body(),
              LIMIT);
      return new ApiResponse(answer.status(), answer.body());
    } catch (IOException e) {
      throw new NoAnswerException(request + ": " + e.getMessage(), e);
    }
  }

  /// Does nothing: the server finishes requests in progress.
  @Override
  public void close() {}
}
