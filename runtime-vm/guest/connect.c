// Connections to ports of the guest's loopback.
#include <netinet/in.h>
#include <sys/socket.h>

#include "guest.h"

static int try_connect(struct channel *channel) {
  struct sockaddr_in first = {.sin_family = AF_INET, .sin_port = htons(channel->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 second = {.sin6_family = AF_INET6, .sin6_port = htons(channel->port),
                                .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  return channel->second_try ? connect(channel->in.fd, (struct sockaddr *)&second, sizeof second)
                             : connect(channel->in.fd, (struct sockaddr *)&first, sizeof first);
}

static bool open_socket(struct channel *channel) {
  int fd = socket(channel->second_try ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0) watch_add(&channel->in, fd);
  return fd >= 0;
}

void connect_start(struct request request, uint16_t port) {
  if (port == 0) {
    answer_failure(request, INVALID, "port 0 cannot be connected to");
    return;
  }
  struct channel *channel = channel_make(request, CHANNEL_CONNECT);
  channel->port = port;
  if (open_socket(channel)) return;
  answer_failure(request, FAILED, "cannot make a socket: %m");
  channel->request.id = 0;
  channel->over = true;
}

// Connecting again asks how far the first call came.
bool connect_step(struct channel *channel) {
  if (!channel->in.out) return false;
  if (try_connect(channel) == 0 || errno == EISCONN) {
    channel->in.in = true;
    channel->answered = true;
    answer_ok(channel->request);
    return true;
  }
  if (errno == EINPROGRESS || errno == EALREADY || errno == EINTR) {
    channel->in.out = errno == EINTR;
    return false;
  }
  int error = errno;
  watch_close(&channel->in);
  if (!channel->second_try) {
    channel->second_try = true;
    if (open_socket(channel)) return true;
  }
  bool nobody = error == ECONNREFUSED || error == EADDRNOTAVAIL || error == ENETUNREACH;
  if (nobody) answer_failure(channel->request, NOT_FOUND, "nothing listens on port %u", channel->port);
  else answer_failure(channel->request, FAILED, "cannot connect to port %u: %s", channel->port, strerror(error));
  channel->request.id = 0;
  channel->over = true;
  return true;
}
