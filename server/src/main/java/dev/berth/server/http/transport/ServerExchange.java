package dev.berth.server.http.transport;

import dev.berth.relay.HangUp;
import dev.berth.relay.RequestBody;
import dev.berth.server.audit.RequestAudit;
import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.requests.AdmissionWarnings;
import dev.berth.server.resources.requests.RequestQuery;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/// One HTTP request and its answer, with blocking calls and time limits over Jetty's asynchronous
/// ones.
///
/// The thread of the request uses it; only the completion of an answer that was handed over runs on
/// Jetty's threads. Every way out ends in exactly one completion of Jetty's callback, and returns
/// the seats before it. Three limits protect the server from slow clients: the time for a piece of
/// the answer, the time for the whole answer, and the memory that all waits together may hold.
public final class ServerExchange {
  /// Upstream's limit of a request body.
  public static final int BODY_LIMIT = 3 << 20;

  /// Bytes of an oversized body that are discarded so that the client reads the 413.
  private static final int DRAIN_LIMIT = 16 << 20;

  /// Bodies that are passed on to a node may be streams, which end when a user ends them.
  private static final Duration UNLIMITED = Duration.ofDays(365);

  /// Bytes of an answer that a client must take within {@link HttpLimits#stall}.
  private static final int PIECE = 256 << 10;

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final HttpLimits limits;
  private final WriteBacklog backlog;
  private final WriteBacklog.Share share;
  private final RequestQuery query;
  private final AdmissionWarnings warnings = new AdmissionWarnings();
  private boolean bodyRead;
  private boolean bodyLate;
  private boolean handedOver;
  private int code;
  private long held;
  private long end = Long.MAX_VALUE;
  private Duration stall;
  private @Nullable RequestSeats seats;
  private RequestAudit audit = RequestAudit.NONE;
  private String auditId = "";

  public ServerExchange(
      Request request,
      Response response,
      Callback callback,
      HttpLimits limits,
      WriteBacklog backlog) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.limits = limits;
    this.stall = limits.stall();
    this.backlog = backlog;
    this.share = new WriteBacklog.Share(backlog, request.getConnectionMetaData());
    this.query = RequestQuery.parse(request.getHttpURI().getQuery());
  }

  public Request request() {
    return request;
  }

  public Response response() {
    return response;
  }

  WriteBacklog backlog() {
    return backlog;
  }

  /// This connection's part of the backlog.
  WriteBacklog.Share share() {
    return share;
  }

  /// The audit record of this request.
  public RequestAudit audit() {
    return audit;
  }

  public void record(RequestAudit newAudit) {
    audit = newAudit;
  }

  /// The client's ID or a new one; answer and audit log carry the same.
  public String auditId() {
    if (auditId.isEmpty()) {
      auditId = AuditId.of(header(AuditId.HEADER));
    }
    return auditId;
  }

  public RequestQuery query() {
    return query;
  }

  public AdmissionWarnings warnings() {
    return warnings;
  }

  public String method() {
    return request.getMethod();
  }

  public String path() {
    // CONNECT has none.
    String path = request.getHttpURI().getPath();
    return path == null ? "" : path;
  }

  /// A header's first value, "" when there is none.
  public String header(String name) {
    String value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  public String header(HttpHeader name) {
    String value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  /// Host and port by which the client calls this server; HTTP/2 has them outside of the headers.
  public String authority() {
    String host = header(HttpHeader.HOST);
    String authority = host.isEmpty() ? request.getHttpURI().getAuthority() : host;
    return authority == null ? "" : authority;
  }

  public boolean acceptsGzip() {
    return request.getHeaders().contains(HttpHeader.ACCEPT_ENCODING, "gzip");
  }

  public HttpFields headers() {
    return request.getHeaders();
  }

  /// Reads the body. A body over the size limit or the time limit is rejected.
  public byte[] body() throws IOException {
    bodyRead = true;
    long length = request.getLength();
    BodyStream in = new BodyStream(request, limits.body(), share);
    try {
      if (length > BODY_LIMIT) {
        throw tooLarge(in);
      }
      // One byte more than the limit distinguishes an oversized body of unknown length
      // from one that just fits.
      byte[] bytes = in.readNBytes(length >= 0 ? (int) length : BODY_LIMIT + 1);
      if (bytes.length > BODY_LIMIT) {
        throw tooLarge(in);
      }
      return bytes;
    } finally {
      in.close();
      bodyLate = in.isLate();
    }
  }

  /// The body for a relay, without limits of size and time.
  public RequestBody bodyToPass() throws IOException {
    bodyRead = true;
    BodyStream in = new BodyStream(request, UNLIMITED, share).passingOn();
    return in.isEnded() ? RequestBody.NONE : new RequestBody(in, request.getLength());
  }

  /// Many clients read the answer only after they have sent the body, so part of the rest is read
  /// and discarded.
  private static ApiException tooLarge(BodyStream in) throws IOException {
    in.drop(DRAIN_LIMIT);
    return ApiException.tooLarge(BODY_LIMIT);
  }

  /// Discards an unread body so that the connection can be reused.
  public void drain() throws IOException {
    long length = request.getLength();
    if (bodyRead || length <= 0 || length > BODY_LIMIT) {
      return;
    }
    bodyRead = true;
    BodyStream in = new BodyStream(request, limits.body(), share);
    try {
      in.drop(BODY_LIMIT);
    } finally {
      in.close();
      bodyLate = in.isLate();
    }
  }

  /// The status code of the answer, 0 before it starts.
  public int code() {
    return code;
  }

  /// Whether the answer has started.
  public boolean hasStarted() {
    return handedOver || response.isCommitted();
  }

  public void start(int newCode, String contentType) {
    code = newCode;
    response.setStatus(newCode);
    HttpFields.Mutable headers = response.getHeaders();
    if (!headers.contains(HttpHeader.CACHE_CONTROL)) {
      headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    }
    if (!contentType.isEmpty()) {
      headers.put(HttpHeader.CONTENT_TYPE, contentType);
    }
    headers.put(AuditId.HEADER, auditId());
    audit.started(newCode);
    for (String text : warnings.texts()) {
      headers.add(new HttpField("Warning", WarningHeader.format(text)));
    }
  }

  /// Stores the seats of the request until the answer is sent.
  public void keep(RequestSeats newSeats) {
    seats = newSeats;
  }

  /// A stream has started: it keeps its in-flight place and returns its seats, because from now on
  /// it works only for moments.
  public void leaveSeats() {
    if (seats != null) {
      seats.leaveSeats();
    }
  }

  /// Returns seats and place while this request only waits for its client.
  public void leave() {
    if (seats != null) {
      seats.leave();
      seats = null;
    }
  }

  /// Whether the body missed its deadline.
  public boolean isBodyLate() {
    return bodyLate;
  }

  /// Sends a whole answer without waiting: a client that does not read holds its connection and
  /// these bytes until it is cut off, but no thread.
  public void send(int code, String contentType, byte[] body) {
    start(code, contentType, body.length);
    CompletableFuture<Void> sent = new CompletableFuture<>();
    response.write(true, ByteBuffer.wrap(body), completing(sent));
    completeWith(sent, body.length);
  }

  /// Sends an answer of two parts without copying them into one.
  public void send(int code, String contentType, ByteBuffer head, ByteBuffer rest) {
    int length = head.remaining() + rest.remaining();
    start(code, contentType, length);
    CompletableFuture<Void> sent = new CompletableFuture<>();
    response.write(
        false,
        head,
        Callback.from(
            Invocable.InvocationType.NON_BLOCKING,
            () -> response.write(true, rest, completing(sent)),
            sent::completeExceptionally));
    completeWith(sent, length);
  }

  private void start(int code, String contentType, int length) {
    start(code, contentType);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
    handedOver = true;
  }

  private void completeWith(CompletableFuture<Void> sent, int length) {
    // A fast client has the answer by now; most requests never enter the backlog.
    if (!sent.isDone()) {
      long pieces = 1L + length / PIECE;
      long time = Math.min(limits.stall().toMillis() * pieces, limits.answer().toMillis());
      sent.orTimeout(time, TimeUnit.MILLISECONDS);
      share.add(sent, length);
    }
    var _ = sent.whenComplete((_, failure) -> complete(failure));
  }

  private void complete(@Nullable Throwable failure) {
    leave();
    if (failure != null) {
      callback.failed(failure);
    } else if (bodyLate) {
      // The connection cannot be reused.
      callback.failed(new IOException("the body of the request did not come in whole"));
    } else {
      callback.succeeded();
    }
  }

  /// Ends HTTP on this connection, which continues with another protocol.
  public void switchProtocols() {
    code = 101;
    response.setStatus(code);
    audit.started(code);
    handedOver = true;
    leave();
    callback.succeeded();
  }

  /// Ends the exchange unless an answer was handed over, which ends it itself.
  public void end() {
    if (!handedOver) {
      leave();
      callback.succeeded();
    }
  }

  /// Ends the exchange by closing the connection.
  ///
  /// On HTTP/2 only the stream is reset, not the connection with its other streams.
  public void abort(Throwable why) {
    if (!handedOver) {
      leave();
      // Jetty does not log an EofException: clients disconnect all the time.
      callback.failed(new EofException(why));
    }
  }

  /// Limits the time for the rest of the answer: a slow client keeps old objects in memory.
  public void hurry() {
    end = System.nanoTime() + limits.answer().toNanos();
  }

  /// Lets the client pause, page by page for example, while it holds no more than one buffer.
  public void allowPauses() {
    stall = HangUp.READING;
  }

  /// Adds memory that is held until the answer has been written.
  public void hold(long bytes) {
    held += bytes;
  }

  /// Writes bytes to the client; the caller may reuse the buffer afterwards.
  public void write(ByteBuffer bytes, boolean last) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    response.write(last, bytes, completing(done));
    if (!done.isDone()) {
      // The buffer counts with its capacity, because all of it stays in memory while the write
      // waits.
      share.add(done, held + bytes.capacity());
    }
    await(done);
  }

  private static Callback completing(CompletableFuture<Void> future) {
    return Callback.from(
        Invocable.InvocationType.NON_BLOCKING,
        () -> future.complete(null),
        future::completeExceptionally);
  }

  private void await(CompletableFuture<Void> done) throws IOException {
    long left = end == Long.MAX_VALUE ? end : end - System.nanoTime();
    try {
      done.get(Math.min(stall.toNanos(), left), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException("the client is gone", e.getCause());
    } catch (TimeoutException e) {
      throw new SlowClientException(left < stall.toNanos() ? limits.answer() : stall);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while writing");
    } finally {
      // A cancelled wait leaves the backlog; Jetty's write itself ends when the exchange is
      // aborted.
      done.cancel(false);
    }
  }
}
