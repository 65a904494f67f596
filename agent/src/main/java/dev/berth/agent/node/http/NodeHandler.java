package dev.berth.agent.node.http;

import dev.berth.cri.CriException;
import dev.berth.relay.ports.ConnectionGuard;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The flow of every request to the node: authenticate, authorize, route.
final class NodeHandler extends Handler.Abstract.NonBlocking {
  private static final Logger log = LoggerFactory.getLogger(NodeHandler.class);

  private final NodeAuthentication authentication;
  private final NodeAuthorization authorization;
  private final PodRoutes pods;
  private final NodeRoutes node;
  private final ThreadFactory threads = Thread.ofVirtual().name("node-request-", 0).factory();

  NodeHandler(
      NodeAuthentication authentication,
      NodeAuthorization authorization,
      PodRoutes pods,
      NodeRoutes node) {
    this.authentication = authentication;
    this.authorization = authorization;
    this.pods = pods;
    this.node = node;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    NodeRequest incoming = NodeRequest.of(request, response, callback);
    threads.newThread(() -> serveSafely(incoming)).start();
    return true;
  }

  @SuppressWarnings("CatchingUnchecked") // The top of a thread.
  private void serveSafely(NodeRequest incoming) {
    try {
      serve(incoming);
    } catch (HttpFailure e) {
      refuse(incoming, e.status(), String.valueOf(e.getMessage()));
    } catch (CriException e) {
      refuse(incoming, 500, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (incoming.response().isCommitted()) {
        log.debug("stream ended path={} reason={}", incoming.path(), e.getMessage());
        incoming.callback().failed(new EofException(e));
      } else {
        refuse(incoming, 500, "the runtime's streaming server does not answer: " + e.getMessage());
      }
    } catch (InterruptedException _) {
      incoming.callback().failed(new EofException("the client hung up"));
    } catch (Throwable e) {
      log.error("request failed method={} path={}", incoming.method(), incoming.path(), e);
      refuse(incoming, 500, "internal error of the agent, see its log");
    }
  }

  private static void refuse(NodeRequest incoming, int status, String text) {
    if (incoming.response().isCommitted()) {
      incoming.callback().failed(new EofException(text));
    } else {
      incoming.sendText(status, text + "\n");
    }
  }

  private void serve(NodeRequest incoming) throws IOException, InterruptedException {
    NodeCaller caller =
        authentication
            .identify(incoming.certificate(), incoming.token())
            .orElseThrow(() -> new HttpFailure(401, "Unauthorized"));
    ConnectionGuard.noteKnownUser(incoming.request());
    authorization.require(caller, incoming.method(), incoming.path());
    String first = incoming.segments().getFirst();
    requireMethod(incoming, NodeMethods.of(first));
    switch (first) {
      case "containerLogs" -> pods.logs(incoming);
      case "exec" -> pods.exec(incoming);
      case "attach" -> pods.attach(incoming);
      case "portForward" -> pods.portForward(incoming);
      case "run" -> pods.run(incoming);
      default -> node.serve(incoming);
    }
  }

  private static void requireMethod(NodeRequest incoming, List<String> allowed) {
    if (!allowed.contains(incoming.method())) {
      incoming.response().getHeaders().put(HttpHeader.ALLOW, String.join(", ", allowed));
      throw new HttpFailure(405, "405: Method Not Allowed");
    }
  }
}
