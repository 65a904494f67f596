package dev.berth.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.berth.store.StoreWrite;
import dev.berth.store.memory.PreparedWrite;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;
import java.util.function.Function;

/// Translates writes to an etcd transaction: conditions, the operations when they hold, and the
/// reads that explain a failed condition.
final class EtcdTransaction {
  private EtcdTransaction() {}

  static <V> TxnRequest of(List<PreparedWrite<V>> writes, Function<String, ByteString> keys) {
    TxnRequest.Builder request = TxnRequest.newBuilder();
    for (PreparedWrite<V> write : writes) {
      ByteString key = keys.apply(write.key());
      request.addCompare(condition(write.write()).setKey(key));
      request.addSuccess(operation(write, key));
      // The values come with the answer: a second request could see a later state.
      request.addFailure(
          RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(key)));
    }
    return request.build();
  }

  private static Compare.Builder condition(StoreWrite write) {
    return switch (write) {
      case StoreWrite.Create _ ->
          Compare.newBuilder()
              .setTarget(Compare.CompareTarget.CREATE)
              .setResult(Compare.CompareResult.EQUAL)
              .setCreateRevision(0);
      case StoreWrite.Replace(_, _, long expected) -> hasRevision(expected);
      case StoreWrite.Delete(_, long expected) -> hasRevision(expected);
    };
  }

  /// In etcd an absent key has revision 0; in this store no key has it.
  private static Compare.Builder hasRevision(long expected) {
    return Compare.newBuilder()
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(expected > 0 ? expected : -1);
  }

  private static <V> RequestOp.Builder operation(PreparedWrite<V> write, ByteString key) {
    byte[] bytes = write.bytes();
    return bytes == null
        ? RequestOp.newBuilder().setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
        : RequestOp.newBuilder()
            .setRequestPut(
                PutRequest.newBuilder()
                    .setKey(key)
                    .setValue(UnsafeByteOperations.unsafeWrap(bytes)));
  }
}
