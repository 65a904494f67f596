// The virtio-serial port: frames in both directions, and where a conversation starts.
#include <dirent.h>
#include <poll.h>
#include <sys/utsname.h>
#include <time.h>

#include "guest.h"

enum { HEADER = 16, MAGIC = 0xB7, MORE = 1, ZEROS_BEFORE_HELLO = 64, CLOSED_MILLIS = 2000 };

uint32_t epoch = 1;

static struct watch watch;
static bool connected;          // a client said HELLO and did not go since
static int64_t closed;          // when the port was first seen closed; 0 while it is open
static uint8_t frame[HEADER + MAX_PAYLOAD];
static size_t have;             // bytes of `frame`
static bool lost;               // after a bad frame: everything is ignored until zeros
static unsigned zeros;
static struct buffer body;      // of HELLO or REQUEST
static uint8_t body_type;
static uint32_t body_id;
static struct buffer unsent;

// Ports have no symbolic names without udev.
static bool find_port(char *path, size_t size) {
  DIR *ports = opendir("/sys/class/virtio-ports");
  if (!ports) return false;
  bool found = false;
  for (struct dirent *port; !found && (port = readdir(ports));) {
    char file[300], name[64] = "";
    snprintf(file, sizeof file, "/sys/class/virtio-ports/%s/name", port->d_name);
    int fd = port->d_name[0] == '.' ? -1 : open(file, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, name, sizeof name - 1) > 0) found = strcmp(name, "dev.berth.agent\n") == 0;
    if (fd >= 0) close(fd);
    if (found) snprintf(path, size, "/dev/%s", port->d_name);
  }
  closedir(ports);
  return found;
}

void port_open(void) {
  char path[300];
  // Ports appear a while after their driver, by messages of QEMU.
  for (int tries = 0; tries < 30000; tries++) {
    if (find_port(path, sizeof path)) {
      int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
      if (fd >= 0) {
        watch_add(&watch, fd);
        return;
      }
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  log_line("no virtio-serial port dev.berth.agent within 30 s");
  stop_machine();
}

bool port_connected(void) { return connected; }

bool port_room(void) { return connected && buffer_length(&unsent) < MAX_UNSENT; }

static uint32_t number_at(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void send_part(uint8_t type, uint8_t flags, uint32_t id, const uint8_t *payload, size_t length) {
  uint8_t start[12] = {MAGIC, type, flags, 0};
  for (int i = 0; i < 4; i++) {
    start[4 + i] = (uint8_t)(id >> (24 - 8 * i));
    start[8 + i] = (uint8_t)(length >> (24 - 8 * i));
  }
  put_raw(&unsent, start, sizeof start);
  put32(&unsent, crc32(crc32(0, start, sizeof start), payload, length));
  put_raw(&unsent, payload, length);
  progress = true;
}

void send_frame(uint8_t type, uint32_t id, const void *payload, size_t length) {
  if (!connected) return;
  const uint8_t *at = payload;
  while (length > MAX_PAYLOAD) {
    send_part(type, MORE, id, at, MAX_PAYLOAD);
    at += MAX_PAYLOAD;
    length -= MAX_PAYLOAD;
  }
  send_part(type, 0, id, at, length);
}

static void drop_client(void) {
  if (!connected) return;
  connected = false;
  epoch++;
  buffer_clear(&unsent);
  buffer_clear(&body);
  client_gone();
}

static void hello(const struct buffer *complete) {
  struct reader reader;
  reader_open(&reader, complete->data + complete->start, buffer_length(complete));
  uint32_t version = get32(&reader);
  uint8_t nonce[16];
  for (unsigned i = 0; i < sizeof nonce; i++) nonce[i] = get8(&reader);
  if (!reader.failed) {
    drop_client();
    connected = true;
    // Output is sent again from the oldest byte; positions of the client are receipts.
    output_rewind();
    if (version == PROTOCOL_VERSION) {
      for (uint32_t count = get_count(&reader, 20); count > 0; count--) {
        const char *id = get_string(&reader);
        uint64_t first = get64(&reader), second = get64(&reader);
        output_acked(id, 0, first);
        output_acked(id, 1, second);
      }
    }
    put_raw(&unsent, nonce, sizeof nonce);
    struct utsname names;
    struct timespec up;
    uname(&names);
    clock_gettime(CLOCK_BOOTTIME, &up);
    struct buffer welcome = {0};
    put32(&welcome, PROTOCOL_VERSION);
    put_string(&welcome, names.release);
    put64(&welcome, (uint64_t)up.tv_sec * 1000000000u + (uint64_t)up.tv_nsec);
    send_frame(WELCOME, 0, welcome.data, buffer_length(&welcome));
    buffer_clear(&welcome);
    if (version != PROTOCOL_VERSION) connected = false;
  }
  reader_close(&reader);
}

static void body_complete(void) {
  // Taken over first: HELLO drops the client, and its unfinished body with it.
  struct buffer complete = body;
  body = (struct buffer){0};
  if (body_type == HELLO) {
    hello(&complete);
  } else {
    request_received((struct request){body_id, epoch}, complete.data + complete.start, buffer_length(&complete));
  }
  buffer_clear(&complete);
}

static void frame_received(void) {
  uint8_t type = frame[1];
  uint32_t id = number_at(frame + 4), length = number_at(frame + 8);
  const uint8_t *payload = frame + HEADER;
  if (!connected && type != HELLO) return;
  if (type == HELLO || type == REQUEST) {
    if (type != body_type || id != body_id) buffer_clear(&body);
    body_type = type;
    body_id = id;
    if (buffer_length(&body) + length > MAX_BODY) {
      lost = true;
      buffer_clear(&body);
      return;
    }
    put_raw(&body, payload, length);
    if (!(frame[2] & MORE)) body_complete();
  } else if (type == ACK) {
    struct reader reader;
    reader_open(&reader, payload, length);
    const char *container = get_string(&reader);
    unsigned stream = get8(&reader);
    uint64_t offset = get64(&reader);
    if (!reader.failed && stream < 2) output_acked(container, stream, offset);
    reader_close(&reader);
  } else {
    channel_frame(type, id, payload, length);
  }
}

// Takes what completes the frame at hand; the number of bytes taken.
static size_t take_bytes(const uint8_t *bytes, size_t length) {
  if (lost || have == 0) {
    if (bytes[0] == 0) {
      zeros++;
      return 1;
    }
    if (lost && zeros < ZEROS_BEFORE_HELLO) {
      zeros = 0;
      return 1;
    }
    lost = false;
    zeros = 0;
  }
  size_t want = have < HEADER ? HEADER : HEADER + number_at(frame + 8);
  size_t taken = want - have < length ? want - have : length;
  memcpy(frame + have, bytes, taken);
  have += taken;
  if (have < HEADER) return taken;
  uint32_t size = number_at(frame + 8);
  if (frame[0] != MAGIC || size > MAX_PAYLOAD) {
    lost = true;
    have = 0;
  } else if (have == HEADER + size) {
    have = 0;
    if (crc32(crc32(0, frame, 12), frame + HEADER, size) == number_at(frame + 12)) {
      frame_received();
    } else {
      lost = true;
    }
  }
  return taken;
}

static void watch_closed(void) {
  if (!closed || !connected) return;
  draining = true;
  watch.in = true;
  if (monotonic_millis() - closed > CLOSED_MILLIS) drop_client();
}

bool port_step_in(void) {
  watch_closed();
  if (!watch.in || buffer_length(&unsent) > 4 * MAX_UNSENT) return false;
  uint8_t bytes[4096];
  ssize_t length = read(watch.fd, bytes, sizeof bytes);
  if (length < 0 && errno == EINTR) return true;
  watch.in = length > 0;
  if (length == 0) {
    // Closed, or opened again: that comes by another queue, and may come after bytes of the new client.
    if (!closed) closed = monotonic_millis();
    return false;
  }
  closed = 0;
  if (length < 0) return false;
  for (size_t at = 0; at < (size_t)length;) at += take_bytes(bytes + at, (size_t)length - at);
  return true;
}

bool port_step_out(void) {
  if (!watch.out || buffer_length(&unsent) == 0) return false;
  size_t length = buffer_length(&unsent);
  ssize_t written = write(watch.fd, unsent.data + unsent.start, length < 32768 ? length : 32768);
  if (written <= 0) {
    if (errno != EINTR) watch.out = false;
    return false;
  }
  buffer_skip(&unsent, (size_t)written);
  return true;
}

bool port_flush(int millis) {
  int64_t end = monotonic_millis() + millis;
  while (buffer_length(&unsent) > 0 && monotonic_millis() < end) {
    watch.out = true;
    if (!port_step_out()) poll(&(struct pollfd){.fd = watch.fd, .events = POLLOUT}, 1, 10);
  }
  return buffer_length(&unsent) == 0;
}

void answer(struct request request, const struct buffer *result) {
  if (request.id == 0) return;
  if (request.epoch == epoch) {
    request_done();
    send_frame(ANSWER, request.id, result->data + result->start, buffer_length(result));
  }
}

void answer_ok(struct request request) {
  uint8_t ok = OK;
  answer(request, &(struct buffer){&ok, 0, 1, 1});
}

void put_failure(struct buffer *buffer, enum status status, const char *why) {
  put8(buffer, (uint8_t)status);
  put_string(buffer, why);
  put_string(buffer, "");
}

void answer_failure(struct request request, enum status status, const char *format, ...) {
  char why[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  struct buffer result = {0};
  put_failure(&result, status, why);
  answer(request, &result);
  buffer_clear(&result);
}
