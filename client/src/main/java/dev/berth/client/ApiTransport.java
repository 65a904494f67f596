package dev.berth.client;

/// Carries requests to an API server; HTTP in production, a fake server's memory in tests.
///
/// An implementation may be called by any number of threads. It does not interpret the status: a
/// refusal is an answer.
public interface ApiTransport extends AutoCloseable {
  /// Sends a request and waits for the head of the answer, whatever its status.
  ///
  /// @throws NoAnswerException when the server does not answer
  ApiResponse send(ApiRequest request);

  @Override
  void close();
}
