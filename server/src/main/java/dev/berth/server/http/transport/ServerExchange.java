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

/// One request and its answer, in blocking calls with time limits.
public final class ServerExchange {
  public static final int BODY_LIMIT = 3 << 20;
  private static final int DRAIN_LIMIT = 16 << 20;
  private static final Duration UNLIMITED = Duration.ofDays(365);

  /// How much of an answer a client must take within {@link HttpLimits#stall}.
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

  /// What becomes of this request in the audit log.
  public RequestAudit audit() {
    return audit;
  }

  public void record(RequestAudit newAudit) {
    audit = newAudit;
  }

  /// The client's, or a new one; the same for the answer and the audit log.
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

  /// Name and port that the client calls this server by; HTTP/2 has them outside the headers.
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

  /// Reads the body; one over the limit is refused, and so is one that trickles in.
  public byte[] body() throws IOException {
    bodyRead = true;
    long length = request.getLength();
    BodyStream in = new BodyStream(request, limits.body(), share);
    try {
      if (length > BODY_LIMIT) {
        throw tooLarge(in);
      }
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

  /// The body for somebody else, who may take any amount of it and any time for it.
  public RequestBody bodyToPass() throws IOException {
    bodyRead = true;
    BodyStream in = new BodyStream(request, UNLIMITED, share).passingOn();
    return in.isEnded() ? RequestBody.NONE : new RequestBody(in, request.getLength());
  }

  /// Clients read the answer only once they have sent their body, so some more of it is taken and
  /// thrown away.
  private static ApiException tooLarge(BodyStream in) throws IOException {
    in.drop(DRAIN_LIMIT);
    return ApiException.tooLarge(BODY_LIMIT);
  }

  /// Takes what is left of a body that nobody read, so that the connection can be used again, and
  /// keeps nothing of it.
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

  /// The code that was answered, 0 while there is none.
  public int code() {
    return code;
  }

  /// Something was sent already.
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

  /// Keeps what the request holds of the server's limits until the answer has left.
  public void keep(RequestSeats newSeats) {
    seats = newSeats;
  }

  /// A stream has begun: it keeps its place, but takes no more than a moment of work at a time.
  public void leaveSeats() {
    if (seats != null) {
      seats.leaveSeats();
    }
  }

  /// Gives seats and place to others, while this one only waits for its client.
  public void leave() {
    if (seats != null) {
      seats.leave();
      seats = null;
    }
  }

  /// The body was given up on.
  public boolean isBodyLate() {
    return bodyLate;
  }

  /// Hands over a whole answer and does not wait for it to leave: a client that takes nothing then
  /// holds its connection and these bytes until it is cut off, but no thread.
  public void send(int code, String contentType, byte[] body) {
    start(code, contentType, body.length);
    CompletableFuture<Void> sent = new CompletableFuture<>();
    response.write(true, ByteBuffer.wrap(body), completing(sent));
    completeWith(sent, body.length);
  }

  /// The same for an answer of two parts, which need not be copied into one.
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
      // The connection is of no more use.
      callback.failed(new IOException("the body of the request did not come in whole"));
    } else {
      callback.succeeded();
    }
  }

  /// Ends HTTP on this connection; another protocol goes on with it.
  public void switchProtocols() {
    code = 101;
    response.setStatus(code);
    audit.started(code);
    handedOver = true;
    leave();
    callback.succeeded();
  }

  /// Ends the exchange, unless an answer was handed over, which does so itself.
  public void end() {
    if (!handedOver) {
      leave();
      callback.succeeded();
    }
  }

  /// Ends the exchange by breaking the connection off.
  public void abort(Throwable why) {
    if (!handedOver) {
      leave();
      // Of this sort Jetty makes no noise in the log: clients come and go.
      callback.failed(new EofException(why));
    }
  }

  /// Limits the time for all that is still to be written: who takes an answer slowly holds what it
  /// is made of, old objects among it.
  public void hurry() {
    end = System.nanoTime() + limits.answer().toNanos();
  }

  /// Lets the client read at its leisure, page by page for example, what holds no more than a
  /// buffer here.
  public void allowPauses() {
    stall = HangUp.READING;
  }

  /// Tells of memory that is held until the answer has been written.
  public void hold(long bytes) {
    held += bytes;
  }

  /// Hands bytes to the client; the buffer may be used again afterwards.
  public void write(ByteBuffer bytes, boolean last) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    response.write(last, bytes, completing(done));
    if (!done.isDone()) {
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
      done.cancel(false);
    }
  }
}
