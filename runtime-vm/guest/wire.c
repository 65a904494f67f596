// Values of the protocol: reading with bounds, writing, and the checksum of frames.
#include "guest.h"

void reader_open(struct reader *reader, const uint8_t *data, size_t length) {
  // A string of n bytes takes 4 + n and needs n + 1; an element of a list takes at least 4 and needs at most 72
  // (a mount, which takes at least 22).
  *reader = (struct reader){data, data + length, false, allocate(length * 6 + 4096), 0};
}

void reader_close(struct reader *reader) {
  free(reader->arena);
  reader->arena = NULL;
}

void *reader_allocate(struct reader *reader, size_t size) {
  size_t at = (reader->used + 7) & ~(size_t)7;
  reader->used = at + size;
  return reader->arena + at;
}

static const uint8_t *take(struct reader *reader, size_t length) {
  static const uint8_t zeros[8];
  if (reader->failed || (size_t)(reader->end - reader->at) < length) {
    reader->failed = true;
    return length <= sizeof zeros ? zeros : NULL;
  }
  const uint8_t *at = reader->at;
  reader->at += length;
  return at;
}

static uint64_t get_number(struct reader *reader, unsigned size) {
  const uint8_t *at = take(reader, size);
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++) value = value << 8 | at[i];
  return value;
}

uint8_t get8(struct reader *reader) { return (uint8_t)get_number(reader, 1); }
uint16_t get16(struct reader *reader) { return (uint16_t)get_number(reader, 2); }
uint32_t get32(struct reader *reader) { return (uint32_t)get_number(reader, 4); }
uint64_t get64(struct reader *reader) { return get_number(reader, 8); }

struct bytes get_bytes(struct reader *reader) {
  uint32_t length = get32(reader);
  const uint8_t *at = take(reader, length);
  return reader->failed ? (struct bytes){(const uint8_t *)"", 0} : (struct bytes){at, length};
}

// Never null. A zero byte inside would let the kernel see another name than the checks saw.
char *get_string(struct reader *reader) {
  struct bytes bytes = get_bytes(reader);
  if (memchr(bytes.data, 0, bytes.length)) {
    reader->failed = true;
    bytes.length = 0;
  }
  if (reader->failed) return "";
  char *text = reader->arena + reader->used;
  memcpy(text, bytes.data, bytes.length);
  text[bytes.length] = 0;
  reader->used += bytes.length + 1;
  return text;
}

// Of elements that take at least `least` bytes each.
uint32_t get_count(struct reader *reader, size_t least) {
  uint32_t count = get32(reader);
  if (count > (size_t)(reader->end - reader->at) / least) {
    reader->failed = true;
    return 0;
  }
  return count;
}

char **get_strings(struct reader *reader) {
  uint32_t count = get_count(reader, 4);
  char **strings = reader_allocate(reader, (count + 1) * sizeof *strings);
  for (uint32_t i = 0; i < count; i++) strings[i] = get_string(reader);
  strings[count] = NULL;
  return strings;
}

struct pair *get_map(struct reader *reader, uint32_t *count) {
  *count = get_count(reader, 8);
  struct pair *pairs = reader_allocate(reader, *count * sizeof *pairs);
  for (uint32_t i = 0; i < *count; i++) {
    pairs[i].key = get_string(reader);
    pairs[i].value = get_string(reader);
  }
  return pairs;
}

size_t buffer_length(const struct buffer *buffer) { return buffer->end - buffer->start; }

void buffer_clear(struct buffer *buffer) {
  free(buffer->data);
  *buffer = (struct buffer){0};
}

void buffer_skip(struct buffer *buffer, size_t length) {
  buffer->start += length;
  if (buffer->start == buffer->end) {
    buffer->start = buffer->end = 0;
    if (buffer->capacity > 4096) buffer_clear(buffer);
  }
}

void put_raw(struct buffer *buffer, const void *data, size_t length) {
  if (length == 0) return;
  if (buffer->capacity - buffer->end < length && buffer->start > 0) {
    memmove(buffer->data, buffer->data + buffer->start, buffer_length(buffer));
    buffer->end -= buffer->start;
    buffer->start = 0;
  }
  if (buffer->capacity - buffer->end < length) {
    size_t capacity = buffer->capacity ? buffer->capacity : 512;
    while (capacity - buffer->end < length) capacity *= 2;
    uint8_t *grown = allocate(capacity);
    if (buffer->end) memcpy(grown, buffer->data, buffer->end);
    free(buffer->data);
    buffer->data = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->data + buffer->end, data, length);
  buffer->end += length;
}

static void put_number(struct buffer *buffer, uint64_t value, unsigned size) {
  uint8_t bytes[8];
  for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
  put_raw(buffer, bytes, size);
}

void put8(struct buffer *buffer, uint8_t value) { put_number(buffer, value, 1); }
void put32(struct buffer *buffer, uint32_t value) { put_number(buffer, value, 4); }
void put64(struct buffer *buffer, uint64_t value) { put_number(buffer, value, 8); }

void put_string(struct buffer *buffer, const char *text) {
  put32(buffer, (uint32_t)strlen(text));
  put_raw(buffer, text, strlen(text));
}

uint32_t crc32(uint32_t crc, const uint8_t *data, size_t length) {
  static uint32_t table[256];
  if (!table[1]) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
      table[i] = value;
    }
  }
  crc = ~crc;
  while (length--) crc = crc >> 8 ^ table[(crc ^ *data++) & 0xff];
  return ~crc;
}
