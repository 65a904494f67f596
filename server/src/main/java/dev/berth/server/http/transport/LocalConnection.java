package dev.berth.server.http.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.Attributes;
import org.jspecify.annotations.Nullable;

/// An in-process connection to the handlers: what a client certificate over HTTP/2 would be,
/// without socket, encryption and frames.
///
/// Requests take the same way through the handlers as those of the network: authentication by the
/// certificate, authorization, admission and limits. Only the transport is left out, so a component
/// in the process can do no more than the same component on another machine. Any number of threads
/// may send at the same time.
public final class LocalConnection extends Attributes.Lazy implements ConnectionMetaData {
  private static final HttpChannel.Factory CHANNELS = new HttpChannel.DefaultFactory();
  private static final SocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String AUTHORITY = "localhost";

  private final Connector connector;
  private final HttpConfiguration configuration;
  private final String userAgent;

  /// An answer's status and its body, which the caller must close.
  public record Answer(int status, InputStream body) {}

  LocalConnection(
      Connector connector,
      HttpConfiguration network,
      X509Certificate certificate,
      String userAgent) {
    this.connector = connector;
    this.userAgent = userAgent;
    EndPoint.SslSessionData session =
        EndPoint.SslSessionData.from(null, null, "", new X509Certificate[] {certificate});
    this.configuration = new HttpConfiguration(network);
    // Jetty's own customizer looks for the TLS session of a socket, which does not exist here.
    configuration.setCustomizers(List.of());
    configuration.addCustomizer(
        (request, _) -> {
          request.setAttribute(EndPoint.SslSessionData.ATTRIBUTE, session);
          return request;
        });
  }

  /// Sends a request and waits for the head of the answer.
  ///
  /// @param target path and query, encoded
  /// @param contentType of the body; empty when there is none
  /// @param limit how long to wait
  public Answer send(
      String method, String target, String accept, String contentType, byte[] body, Duration limit)
      throws IOException {
    HttpChannel channel = CHANNELS.newHttpChannel(this);
    channel.initialize();
    LocalStream stream = new LocalStream(channel, body);
    channel.setHttpStream(stream);
    Runnable handling =
        channel.onRequest(
            new MetaData.Request(
                System.nanoTime(),
                method,
                HttpURI.build(target).scheme("https").authority(AUTHORITY),
                HttpVersion.HTTP_2,
                headers(accept, contentType),
                body.length));
    if (handling != null) {
      handling.run();
    }
    try {
      return new Answer(stream.answer().status(limit), stream.answer());
    } catch (IOException e) {
      stream.answer().close();
      throw e;
    }
  }

  private HttpFields headers(String accept, String contentType) {
    HttpFields.Mutable headers = HttpFields.build();
    headers.put(HttpHeader.HOST, AUTHORITY);
    headers.put(HttpHeader.ACCEPT, accept);
    headers.put(HttpHeader.USER_AGENT, userAgent);
    if (!contentType.isEmpty()) {
      headers.put(HttpHeader.CONTENT_TYPE, contentType);
    }
    return headers.asImmutable();
  }

  @Override
  public String getId() {
    return "local";
  }

  @Override
  public HttpConfiguration getHttpConfiguration() {
    return configuration;
  }

  @Override
  public HttpVersion getHttpVersion() {
    return HttpVersion.HTTP_2;
  }

  @Override
  public String getProtocol() {
    return HttpVersion.HTTP_2.asString();
  }

  @Override
  public @Nullable Connection getConnection() {
    return null;
  }

  @Override
  public Connector getConnector() {
    return connector;
  }

  @Override
  public boolean isPersistent() {
    return true;
  }

  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return HERE;
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return HERE;
  }
}
