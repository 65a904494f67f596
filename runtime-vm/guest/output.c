// Output of containers: kept until the host has it.
#include <sys/ioctl.h>

#include "guest.h"

static uint64_t least(uint64_t first, uint64_t second) { return first < second ? first : second; }

// Reads what fits; true when bytes came.
static bool fill(struct ring *ring, struct watch *watch) {
  uint64_t room = RING_BYTES - (ring->end - ring->acked);
  if (watch->fd < 0 || !watch->in || room == 0) return false;
  if (!ring->bytes) ring->bytes = allocate(RING_BYTES);
  size_t at = ring->end % RING_BYTES;
  ssize_t length = read(watch->fd, ring->bytes + at, least(room, RING_BYTES - at));
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
    if (errno == EAGAIN) watch->in = false;
    return false;
  }
  if (length <= 0) {
    // A terminal says EIO when no program has it open, which may change.
    if (length == 0) watch_close(watch);
    else watch->in = false;
    return false;
  }
  ring->end += (uint64_t)length;
  return true;
}

static bool send_output(struct container *container, unsigned stream) {
  struct ring *ring = &container->rings[stream];
  if (ring->sent == ring->end || !port_room()) return false;
  uint8_t payload[MAX_PAYLOAD];
  struct buffer start = {0};
  put_string(&start, container->id);
  put8(&start, (uint8_t)stream);
  put64(&start, ring->sent);
  size_t used = buffer_length(&start), at = ring->sent % RING_BYTES;
  memcpy(payload, start.data, used);
  buffer_clear(&start);
  size_t length = least(least(ring->end - ring->sent, RING_BYTES - at), sizeof payload - used);
  memcpy(payload + used, ring->bytes + at, length);
  ring->sent += length;
  send_frame(OUTPUT, 0, payload, used + length);
  return true;
}

// The watch of a stream: a terminal is also the input.
static struct watch *source(struct container *container, unsigned stream) {
  return container->tty && stream == 0 ? &container->input : &container->rings[stream].watch;
}

bool output_step(struct container *container) {
  bool moved = false;
  for (unsigned stream = 0; stream < 2; stream++) {
    moved |= fill(&container->rings[stream], source(container, stream));
    moved |= send_output(container, stream);
    struct ring *ring = &container->rings[stream];
    if (ring->bytes && ring->acked == ring->end) {
      free(ring->bytes);
      ring->bytes = NULL;
    }
  }
  return moved;
}

// Whether all output of the ended program was read.
bool output_drained(struct container *container, bool final) {
  for (unsigned stream = 0; stream < 2; stream++) {
    struct ring *ring = &container->rings[stream];
    struct watch *watch = source(container, stream);
    if (watch->fd < 0) continue;
    int unread = 0;
    ioctl(watch->fd, FIONREAD, &unread);
    if (unread > 0) {
      watch->in = true;
      // Full: the rest waits in the pipe until the host takes some.
      if (ring->end - ring->acked < RING_BYTES) progress = true;
      return false;
    }
    // Bytes of a terminal come to this side a while after they were written.
    if (container->tty && !final && monotonic_millis() < container->deadline - 1900) return false;
  }
  return true;
}

void output_acked(const char *id, unsigned stream, uint64_t offset) {
  struct container *container = container_find(id);
  if (!container) return;
  struct ring *ring = &container->rings[stream];
  if (offset > ring->end) offset = ring->end;
  if (offset > ring->acked) ring->acked = offset;
  if (ring->sent < ring->acked) ring->sent = ring->acked;
  progress = true;
}

// For a new client.
void output_rewind(void) {
  for (struct container *container = containers; container; container = container->next) {
    container->reported = false;
    for (unsigned stream = 0; stream < 2; stream++) container->rings[stream].sent = container->rings[stream].acked;
  }
}

void output_close(struct container *container) {
  for (unsigned stream = 0; stream < 2; stream++) {
    watch_close(&container->rings[stream].watch);
    free(container->rings[stream].bytes);
    container->rings[stream].bytes = NULL;
    container->rings[stream].sent = container->rings[stream].acked = container->rings[stream].end;
  }
}
