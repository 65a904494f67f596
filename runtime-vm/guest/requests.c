// What the host asks for: one line per operation.
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest.h"

enum operation {
  PING = 1, CONFIGURE, CREATE, START, SIGNAL, REMOVE, LIMITS, INPUT, RESIZE, EXEC, EXEC_RESIZE, EXEC_SIGNAL, CONNECT,
  TREE_BEGIN, TREE_ADD, TREE_COMMIT, TREE_REMOVE, READ_FILE, LIST, USAGE, SHUTDOWN,
};

static unsigned under_way;

void request_done(void) { under_way--; }

void client_gone(void) {
  under_way = 0;
  channels_close(NULL);
  trees_drop();
}

static void resize(int terminal, struct reader *reader) {
  struct winsize size = {0};
  size.ws_col = get16(reader);
  size.ws_row = get16(reader);
  if (terminal >= 0) ioctl(terminal, TIOCSWINSZ, &size);
}

static void input(struct request request, struct container *container) {
  if (!container->has_input || container->input.fd < 0 || container->state >= ENDING) {
    answer_failure(request, WRONG_STATE, "container %s has no open standard input", container->id);
    return;
  }
  struct channel *channel = channel_make(request, CHANNEL_INPUT);
  channel->container = container;
  channel->answered = true;
  answer_ok(request);
}

static void send_signal(struct request request, struct container *container, uint32_t number) {
  if (number < 1 || number > 64) {
    answer_failure(request, INVALID, "signal %u is not between 1 and 64", number);
    return;
  }
  if (container->pid > 0) syscall(SYS_pidfd_send_signal, container->pidfd, number, NULL, 0);
  answer_ok(request);
}

struct limits_job {
  struct limits_spec limits;
  int cgroup;
};

static void apply_limits(struct buffer *result, void *argument) {
  struct limits_job *job = argument;
  const char *why = cgroup_limit(job->cgroup, &job->limits);
  if (why) job_failed(result, FAILED, "%s", why);
  else put8(result, OK);
}

static void limits(struct request request, struct container *container, struct reader *reader) {
  struct limits_job job = {.cgroup = container->cgroup};
  if (!get_limits(reader, &job.limits)) {
    answer_failure(request, INVALID, "bad limits");
    return;
  }
  if (container->state == CREATED) {
    char path[64], score[16];
    container->oom_score = job.limits.oom_score;
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", container->pid);
    snprintf(score, sizeof score, "%d", container->oom_score);
    write_file(path, score);
  }
  // A smaller memory limit makes the kernel reclaim before the write returns.
  job_start(request, apply_limits, &job);
}

static void read_end(struct request request, struct container *container, const char *name, uint32_t bound) {
  char path[3 * MAX_NAME];
  snprintf(path, sizeof path, "/scratch/containers/%s/files/%s", container->id, name);
  int fd = valid_name(name) ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    answer_failure(request, NOT_FOUND, "container %s has no file %s", container->id, name);
    if (fd >= 0) close(fd);
    return;
  }
  if (bound > 1 << 20) bound = 1 << 20;
  uint32_t size = info.st_size < (off_t)bound ? (uint32_t)info.st_size : bound;
  uint8_t *bytes = allocate(size);
  ssize_t length = pread(fd, bytes, size, info.st_size - size);
  close(fd);
  struct buffer result = {0};
  put8(&result, OK);
  put32(&result, length < 0 ? 0 : (uint32_t)length);
  put_raw(&result, bytes, length < 0 ? 0 : (size_t)length);
  free(bytes);
  answer(request, &result);
  buffer_clear(&result);
}

static void list(struct request request) {
  struct buffer result = {0}, entries = {0};
  uint32_t count = 0;
  for (struct container *container = containers; container; container = container->next) {
    if (container->state == CREATING || container->failed) continue;
    count++;
    put_string(&entries, container->id);
    put64(&entries, (uint64_t)container->created);
    put8(&entries, container->started != 0);
    if (container->started) put64(&entries, (uint64_t)container->started);
    put8(&entries, container->ended);
    if (container->ended) put_exit(&entries, &container->exit);
  }
  put8(&result, OK);
  put32(&result, count);
  put_raw(&result, entries.data, buffer_length(&entries));
  answer(request, &result);
  buffer_clear(&result);
  buffer_clear(&entries);
}

_Noreturn static void shut_down(struct request request) {
  containers_kill();
  sync();
  umount2("/scratch", MNT_DETACH);
  answer_ok(request);
  port_flush(2000);
  stop_machine();
}

static void about_exec(struct request request, uint8_t operation, struct reader *reader) {
  struct channel *channel = channel_find(get32(reader));
  if (!channel || channel->kind != CHANNEL_EXEC) {
    answer_failure(request, NOT_FOUND, "the program ended");
    return;
  }
  if (operation == EXEC_RESIZE) {
    resize(channel->tty ? channel->in.fd : -1, reader);
  } else {
    uint32_t number = get32(reader);
    if (channel->pid > 0 && number >= 1 && number <= 64) kill(channel->pid, (int)number);
  }
  answer_ok(request);
}

static void about_container(struct request request, uint8_t operation, struct reader *reader) {
  const char *id = get_string(reader);
  struct container *container = container_find(id);
  if (!container || (container->state == CREATING && operation != REMOVE)) {
    if (operation == REMOVE) answer_ok(request);
    else answer_failure(request, NOT_FOUND, "the guest has no container %s", id);
    return;
  }
  switch (operation) {
    case START: container_start(request, container); break;
    case SIGNAL: send_signal(request, container, get32(reader)); break;
    case REMOVE: container_remove(request, container); break;
    case LIMITS: limits(request, container, reader); break;
    case INPUT: input(request, container); break;
    case RESIZE:
      resize(container->tty ? container->input.fd : -1, reader);
      answer_ok(request);
      break;
    case EXEC: {
      char **args = get_strings(reader);
      bool tty = get8(reader), open = get8(reader);
      if (reader->failed || !args[0]) answer_failure(request, INVALID, "no command");
      else exec_start(request, container, args, tty, open);
      break;
    }
    case READ_FILE: {
      const char *name = get_string(reader);
      read_end(request, container, name, get32(reader));
      break;
    }
  }
}

static void handle(struct request request, uint8_t operation, struct reader *reader) {
  switch (operation) {
    case PING: answer_ok(request); break;
    case CONFIGURE: configure(request, reader); break;
    case CREATE: container_create(request, reader->at, (size_t)(reader->end - reader->at)); break;
    case START: case SIGNAL: case REMOVE: case LIMITS: case INPUT: case RESIZE: case EXEC: case READ_FILE:
      about_container(request, operation, reader);
      break;
    case EXEC_RESIZE: case EXEC_SIGNAL: about_exec(request, operation, reader); break;
    case CONNECT: connect_start(request, get16(reader)); break;
    case TREE_BEGIN: {
      uint32_t tree = get32(reader);
      tree_begin(request, tree, get_string(reader));
      break;
    }
    case TREE_ADD: tree_add(request, get32(reader), reader); break;
    case TREE_COMMIT: tree_commit(request, get32(reader)); break;
    case TREE_REMOVE: tree_remove(request, get_string(reader)); break;
    case LIST: list(request); break;
    case USAGE: job_start(request, usage, NULL); break;
    case SHUTDOWN: shut_down(request);
    default: answer_failure(request, INVALID, "unknown operation %u", operation);
  }
}

void request_received(struct request request, const uint8_t *body, size_t length) {
  if (request.id == 0) return;
  under_way++;
  if (under_way > MAX_REQUESTS) {
    answer_failure(request, FAILED, "more than %d requests are under way", MAX_REQUESTS);
    return;
  }
  struct reader reader;
  reader_open(&reader, body, length);
  handle(request, get8(&reader), &reader);
  reader_close(&reader);
}
