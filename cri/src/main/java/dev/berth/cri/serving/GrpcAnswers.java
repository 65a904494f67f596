package dev.berth.cri.serving;

import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// Converts results and refusals to gRPC answers. Any other exception reaches gRPC, which answers
/// UNKNOWN: it is a fault of the runtime service.
public final class GrpcAnswers {
  /// Items per message of a streamed list, far below the 16 MiB that clients accept.
  private static final int CHUNK = 100;

  private GrpcAnswers() {}

  public static <R> void one(StreamObserver<R> observer, Supplier<R> answer) {
    R response;
    try {
      response = answer.get();
    } catch (CallRefusal e) {
      observer.onError(e.status().asRuntimeException());
      return;
    }
    observer.onNext(response);
    observer.onCompleted();
  }

  /// Runs an action and answers with an empty message.
  public static <R> void done(StreamObserver<R> observer, R response, Runnable action) {
    one(
        observer,
        () -> {
          action.run();
          return response;
        });
  }

  /// Streams a list in chunks.
  public static <T, R> void chunks(
      StreamObserver<R> observer, List<T> items, Function<List<T>, R> response) {
    for (int from = 0; from < items.size(); from += CHUNK) {
      List<T> chunk = items.subList(from, Math.min(from + CHUNK, items.size()));
      observer.onNext(response.apply(chunk));
    }
    observer.onCompleted();
  }
}
