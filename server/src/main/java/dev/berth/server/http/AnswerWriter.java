package dev.berth.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.Status;
import dev.berth.server.json.Json;
import dev.berth.server.json.Yaml;
import dev.berth.server.resources.Answer;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.resources.Target;
import dev.berth.server.table.Columns;
import dev.berth.server.table.PartialMetadata;
import dev.berth.server.table.Printers;
import dev.berth.server.table.TableBuilder;
import dev.berth.store.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpHeader;

/// Sends answers in the form that the client asked for; stored JSON goes out as the bytes it is.
final class AnswerWriter {
  /// Objects that are better sent in two parts than copied, above all to clients that are slow.
  private static final int LONG = 32 << 10;

  private final BinaryFormat protobuf;
  private final Views views;
  private final ListWriter lists;

  AnswerWriter(BinaryFormat protobuf, Views views) {
    this.protobuf = protobuf;
    this.views = views;
    this.lists = new ListWriter(views, protobuf);
  }

  void write(Exchange exchange, Target target, Wanted wanted, Answer answer) throws IOException {
    switch (answer) {
      case Answer.Stored(int code, Entry<StoredObject> entry) -> {
        if (isPlain(target, wanted)) {
          sendStored(exchange, target, code, entry.value().json());
        } else {
          sendObject(exchange, target, wanted, code, views.served(target, entry.value()));
        }
      }
      case Answer.Tree(int code, ObjectNode object) ->
          sendObject(exchange, target, wanted, code, views.served(target, object));
      case Answer.Other(int code, ObjectNode object) ->
          sendObject(exchange, target, wanted, code, object);
      case Answer.Done(int code, Status status) -> sendStatus(exchange, wanted, code, status);
      case Answer.Listing listing -> lists.write(exchange, target, wanted, listing);
    }
  }

  void writeOther(Exchange exchange, Wanted wanted, int code, ObjectNode object)
      throws IOException {
    sendTree(exchange, wanted, code, object);
  }

  BinaryFormat binary() {
    return protobuf;
  }

  void writeStatus(Exchange exchange, Wanted wanted, Status status) throws IOException {
    if (status.details().retryAfterSeconds() > 0) {
      exchange
          .response()
          .getHeaders()
          .put(HttpHeader.RETRY_AFTER, status.details().retryAfterSeconds());
    }
    sendStatus(exchange, wanted, status.code(), status);
  }

  private static boolean isPlain(Target target, Wanted wanted) {
    return wanted.isPlainJson() && target.version().conversion().sameShape();
  }

  private static void sendStored(Exchange exchange, Target target, int code, byte[] json)
      throws IOException {
    byte[] head = TypeHead.of(target.kind(), target.version()).object();
    if (exchange.audit().wantsResponse()) {
      exchange
          .audit()
          .responseObject(
              Json.parseTrusted(Pieces.join(head, Arrays.copyOfRange(json, 1, json.length))));
    }
    if (json.length >= LONG && !exchange.acceptsGzip() && !IndentedJson.isWanted(exchange)) {
      exchange.send(
          code,
          Wanted.Format.JSON.mediaType(),
          ByteBuffer.wrap(head),
          ByteBuffer.wrap(json, 1, json.length - 1));
      return;
    }
    byte[] body = new byte[head.length + json.length - 1];
    System.arraycopy(head, 0, body, 0, head.length);
    System.arraycopy(json, 1, body, head.length, json.length - 1);
    send(exchange, Wanted.Format.JSON, code, body);
  }

  private void sendObject(
      Exchange exchange, Target target, Wanted wanted, int code, ObjectNode object)
      throws IOException {
    switch (wanted.as()) {
      case OBJECT -> sendTree(exchange, wanted, code, object);
      case TABLE ->
          sendTree(
              exchange,
              wanted,
              code,
              new TableBuilder(columns(target, object), Views.include(exchange), wanted.version())
                  .table(object, target.now(), true));
      case PARTIAL ->
          sendTree(exchange, wanted, code, PartialMetadata.of(object, wanted.version()));
    }
  }

  /// Those of the target's kind, unless the object is of another one, as its scale is.
  private static Columns columns(Target target, ObjectNode object) {
    String kind = object.path("kind").asText();
    if (kind.equals(target.kind().names().kind())) {
      return target.kind().columns();
    }
    String version = object.path("apiVersion").asText();
    String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    return Printers.forKind(group, kind);
  }

  static TableBuilder tables(Exchange exchange, Target target, Wanted wanted) {
    return new TableBuilder(target.kind().columns(), Views.include(exchange), wanted.version());
  }

  private void sendTree(Exchange exchange, Wanted wanted, int code, ObjectNode tree)
      throws IOException {
    exchange.audit().responseObject(tree);
    send(exchange, wanted.format(), code, encoded(wanted, tree));
  }

  private void sendStatus(Exchange exchange, Wanted wanted, int code, Status status)
      throws IOException {
    ObjectNode tree = status.toJson();
    exchange.audit().status(tree);
    send(exchange, wanted.format(), code, encoded(wanted, tree));
  }

  private byte[] encoded(Wanted wanted, ObjectNode tree) {
    return switch (wanted.format()) {
      case JSON -> Json.bytes(tree);
      case YAML -> Yaml.bytes(tree);
      case PROTOBUF -> protobuf.encode(tree);
    };
  }

  private static void send(Exchange exchange, Wanted.Format format, int code, byte[] answer)
      throws IOException {
    byte[] body = format == Wanted.Format.JSON ? IndentedJson.asWanted(exchange, answer) : answer;
    boolean gzip = body.length >= FastGzip.WORTH_IT && exchange.acceptsGzip();
    if (gzip) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    }
    exchange.send(code, format.mediaType(), gzip ? gzip(body) : body);
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
    try (OutputStream zip = new FastGzip(out)) {
      zip.write(body);
    }
    return out.toByteArray();
  }
}
