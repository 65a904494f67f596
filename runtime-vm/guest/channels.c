// Channels: input, programs of EXEC, and connections, each with its own credit.
#include <signal.h>
#include <sys/socket.h>

#include "guest.h"

struct channel *channels;

enum { END_OF_INPUT = 4 /* Control-D */ };

struct channel *channel_find(uint32_t id) {
  struct channel *channel = channels;
  while (channel && (channel->id != id || channel->over)) channel = channel->next;
  return channel;
}

struct channel *channel_make(struct request request, int kind) {
  struct channel *channel = allocate(sizeof *channel);
  *channel = (struct channel){
      .next = channels,
      .id = request.id,
      .kind = kind,
      .request = request,
      .in.fd = -1,
      .out = {{.fd = -1}, {.fd = -1}},
      .socket.fd = -1,
      .granted = INPUT_WINDOW,
      .credit = OUTPUT_WINDOW,
  };
  channels = channel;
  return channel;
}

void channel_reset(struct channel *channel) {
  if (channel->answered && !channel->over) send_frame(RESET, channel->id, "", 0);
  channel->over = true;
  progress = true;
}

static void kill_program(struct channel *channel) {
  if (channel->kind != CHANNEL_EXEC || channel->pid <= 0) return;
  kill(-channel->pid, SIGKILL);
  kill(channel->pid, SIGKILL);
}

// Of a container that ended or goes; of everybody when `container` is null.
void channels_close(struct container *container) {
  for (struct channel *channel = channels; channel; channel = channel->next) {
    if (!container) {
      kill_program(channel);
      channel->over = true;
    } else if (channel->container == container) {
      // Programs die with the control group and report that themselves.
      if (channel->kind == CHANNEL_INPUT) channel_reset(channel);
      channel->container = NULL;
    }
  }
  progress = true;
}

static struct watch *input_of(struct channel *channel) {
  return channel->kind == CHANNEL_INPUT ? &channel->container->input : &channel->in;
}

static struct watch *output_of(struct channel *channel, unsigned stream) {
  bool both = channel->kind == CHANNEL_CONNECT || channel->tty;
  return both && stream == 0 ? &channel->in : &channel->out[stream];
}

static void data_received(struct channel *channel, const uint8_t *payload, size_t length) {
  if (length == 0 || payload[0] != 0 || length - 1 > channel->granted || channel->input_ended) {
    kill_program(channel);
    channel_reset(channel);
    return;
  }
  channel->granted -= (uint32_t)(length - 1);
  put_raw(&channel->pending, payload + 1, length - 1);
}

void channel_frame(uint8_t type, uint32_t id, const uint8_t *payload, size_t length) {
  struct channel *channel = channel_find(id);
  if (!channel) return;
  progress = true;
  if (type == DATA) {
    data_received(channel, payload, length);
  } else if (type == CREDIT && length == 4) {
    uint32_t more = (uint32_t)payload[0] << 24 | (uint32_t)payload[1] << 16 | (uint32_t)payload[2] << 8 | payload[3];
    channel->credit = more > INT32_MAX - channel->credit ? INT32_MAX : channel->credit + more;
  } else if (type == END) {
    channel->input_ended = true;
  } else if (type == RESET) {
    kill_program(channel);
    channel->over = true;
  }
}

static void give_credit(struct channel *channel) {
  if (channel->taken == 0 || (channel->taken < INPUT_WINDOW / 4 && buffer_length(&channel->pending) > 0)) return;
  uint8_t more[4];
  for (int i = 0; i < 4; i++) more[i] = (uint8_t)(channel->taken >> (24 - 8 * i));
  send_frame(CREDIT, channel->id, more, sizeof more);
  channel->granted += channel->taken;
  channel->taken = 0;
}

// The program does not take input any more.
static void input_refused(struct channel *channel) {
  if (channel->kind == CHANNEL_EXEC) {
    channel->taken += (uint32_t)buffer_length(&channel->pending);
    buffer_clear(&channel->pending);
    if (!channel->tty) watch_close(&channel->in);
  } else {
    channel_reset(channel);
  }
}

static bool write_input(struct channel *channel) {
  struct watch *watch = input_of(channel);
  if (buffer_length(&channel->pending) == 0) return false;
  if (watch->fd < 0) {
    input_refused(channel);
    return true;
  }
  if (!watch->out) return false;
  const uint8_t *from = channel->pending.data + channel->pending.start;
  ssize_t written = write(watch->fd, from, buffer_length(&channel->pending));
  if (written < 0) {
    if (errno == EAGAIN) watch->out = false;
    else if (errno != EINTR) input_refused(channel);
    return errno != EAGAIN;
  }
  channel->taken += (uint32_t)written;
  buffer_skip(&channel->pending, (size_t)written);
  return written > 0;
}

static bool end_terminal_input(struct watch *watch) {
  uint8_t end = END_OF_INPUT;
  if (watch->fd < 0 || !watch->out) return watch->fd < 0;
  if (write(watch->fd, &end, 1) == 1 || errno != EAGAIN) return true;
  watch->out = false;
  return false;
}

static bool end_input(struct channel *channel) {
  struct watch *watch = input_of(channel);
  struct container *container = channel->container;
  if (channel->kind == CHANNEL_CONNECT) {
    shutdown(watch->fd, SHUT_WR);
  } else if (channel->kind == CHANNEL_EXEC) {
    if (!channel->tty) watch_close(watch);
    else if (!end_terminal_input(watch)) return false;
  } else {
    if (container->input_once && !container->tty) watch_close(watch);
    else if (container->input_once && !end_terminal_input(watch)) return false;
    if (container->input_once) container->has_input = false;
    channel->over = true;
  }
  channel->input_closed = true;
  return true;
}

static bool read_output(struct channel *channel, unsigned stream) {
  struct watch *watch = output_of(channel, stream);
  uint8_t payload[MAX_PAYLOAD];
  if (watch->fd < 0 || !watch->in || channel->credit == 0 || channel->output_ended || !port_room()) return false;
  size_t most = channel->credit < sizeof payload - 1 ? channel->credit : sizeof payload - 1;
  ssize_t length = read(watch->fd, payload + 1, most);
  if (length < 0 && errno == EINTR) return true;
  if (length > 0) {
    payload[0] = (uint8_t)stream;
    channel->credit -= (uint32_t)length;
    send_frame(DATA, channel->id, payload, (size_t)length + 1);
    return true;
  }
  watch->in = false;
  if (length < 0 && errno == EAGAIN) return false;
  if (channel->kind == CHANNEL_EXEC) {
    if (!channel->tty) watch_close(watch);
  } else if (length == 0) {
    channel->output_ended = true;
    send_frame(END, channel->id, "", 0);
  } else {
    channel_reset(channel);
  }
  return true;
}

static bool channel_step(struct channel *channel) {
  bool moved = false;
  if (channel->kind == CHANNEL_EXEC) moved |= exec_step(channel);
  if (channel->kind == CHANNEL_CONNECT && !channel->answered) moved |= connect_step(channel);
  if (!channel->answered || channel->over) return moved;
  moved |= write_input(channel);
  if (channel->over) return true;
  give_credit(channel);
  if (channel->input_ended && !channel->input_closed && buffer_length(&channel->pending) == 0) {
    moved |= end_input(channel);
  }
  for (unsigned stream = 0; stream < 2 && channel->kind != CHANNEL_INPUT && !channel->over; stream++) {
    moved |= read_output(channel, stream);
  }
  if (channel->kind == CHANNEL_CONNECT && channel->input_closed && channel->output_ended) channel->over = true;
  return moved;
}

static void channel_free(struct channel *channel) {
  // Closed before it was open; a failure that was answered has left no id.
  if (!channel->answered) answer_failure(channel->request, FAILED, "the channel was closed");
  watch_close(&channel->in);
  watch_close(&channel->out[0]);
  watch_close(&channel->out[1]);
  watch_close(&channel->socket);
  buffer_clear(&channel->pending);
  free(channel);
}

bool channels_step(void) {
  bool moved = false;
  for (struct channel **at = &channels; *at;) {
    struct channel *channel = *at;
    if (!channel->over) moved |= channel_step(channel);
    if (channel->over) {
      *at = channel->next;
      channel_free(channel);
      moved = true;
    } else {
      at = &channel->next;
    }
  }
  return moved;
}
