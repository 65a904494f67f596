// Work that may block or take long: a child of the loop does it and writes the answer to a pipe.
#include <sys/wait.h>

#include "guest.h"

static struct job *jobs;

void job_failed(struct buffer *result, enum status status, const char *format, ...) {
  char why[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  put_failure(result, status, why);
}

_Noreturn static void run_job(int pipe, void (*work)(struct buffer *, void *), void *argument) {
  struct buffer result = {0};
  work(&result, argument);
  while (buffer_length(&result) > 0) {
    ssize_t written = write(pipe, result.data + result.start, buffer_length(&result));
    if (written <= 0) _exit(1);
    buffer_skip(&result, (size_t)written);
  }
  _exit(0);
}

struct job *job_start(struct request request, void (*work)(struct buffer *result, void *argument), void *argument) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    answer_failure(request, FAILED, "cannot make a pipe: %m");
    return NULL;
  }
  pid_t pid = clone_process(0, -1, NULL);
  if (pid == 0) run_job(ends[1], work, argument);
  close(ends[1]);
  if (pid < 0) {
    answer_failure(request, FAILED, "cannot start a process: %m");
    close(ends[0]);
    return NULL;
  }
  struct job *job = allocate(sizeof *job);
  *job = (struct job){.next = jobs, .pid = pid, .request = request};
  watch_add(&job->watch, ends[0]);
  jobs = job;
  return job;
}

static bool read_result(struct job *job, bool *over) {
  uint8_t bytes[4096];
  if (!job->watch.in) return false;
  ssize_t length = read(job->watch.fd, bytes, sizeof bytes);
  if (length < 0) {
    if (errno != EINTR) job->watch.in = false;
    return false;
  }
  *over = length == 0 || buffer_length(&job->result) > MAX_BODY;
  put_raw(&job->result, bytes, (size_t)length);
  return true;
}

bool jobs_step(void) {
  bool moved = false;
  for (struct job **at = &jobs; *at;) {
    struct job *job = *at;
    bool over = false;
    moved |= read_result(job, &over);
    if (!over) {
      at = &job->next;
      continue;
    }
    *at = job->next;
    watch_close(&job->watch);
    if (job->done) job->done(job);
    else if (buffer_length(&job->result) > 0) answer(job->request, &job->result);
    else answer_failure(job->request, FAILED, "the guest ended the work");
    buffer_clear(&job->result);
    free(job);
  }
  return moved;
}
