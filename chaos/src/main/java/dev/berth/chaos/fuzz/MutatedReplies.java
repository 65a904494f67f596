package dev.berth.chaos.fuzz;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Forwards answers, changed by a mutation if there is one. gRPC calls it on one thread at a time.
final class MutatedReplies implements StreamObserver<byte[]> {
  private final StreamObserver<byte[]> replies;
  private final Supplier<@Nullable AnswerMutation> mutation;
  private boolean ended;

  MutatedReplies(StreamObserver<byte[]> replies, Supplier<@Nullable AnswerMutation> mutation) {
    this.replies = replies;
    this.mutation = mutation;
  }

  @Override
  public void onNext(byte[] answer) {
    AnswerMutation now = mutation.get();
    if (now == null) {
      replies.onNext(answer);
      return;
    }
    switch (now.change(answer)) {
      case AnswerMutation.Answer changed -> replies.onNext(changed.bytes());
      case AnswerMutation.Failure(Status status) -> {
        ended = true;
        replies.onError(status.asRuntimeException());
      }
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (!ended) {
      replies.onError(failure);
    }
  }

  @Override
  public void onCompleted() {
    if (!ended) {
      replies.onCompleted();
    }
  }
}
