// The program inside a guest: declarations that its files share. PROTOCOL.md says what it does for the host.
//
// One thread and one epoll loop. Events only set flags of a `struct watch`; `step` functions then do the work, so
// nothing is freed while an event still points to it. Whatever may block runs in a child (`job_start`).
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum status { OK, NOT_FOUND, EXISTS, INVALID, WRONG_STATE, FAILED };

enum limits {
  PROTOCOL_VERSION = 1,
  MAX_PAYLOAD = 16384,
  MAX_BODY = 2 << 20,
  MAX_REQUESTS = 64,
  MAX_NAME = 200,
  MAX_GROUPS = 256,
  MAX_DISKS = 16,
  RING_BYTES = 65536,
  INPUT_WINDOW = 32768,
  OUTPUT_WINDOW = 65536,
  // Data of streams is added to the unsent bytes only below this, so answers are never far behind.
  MAX_UNSENT = 65536,
  // After the last process of a container ended or was killed.
  DRAIN_MILLIS = 2000,
};

// main.c
struct watch {
  int fd;
  bool in, out;  // may be readable, writable: reset when a call says EAGAIN
};
extern bool progress;    // something changed: all steps run again before the next wait
extern bool draining;    // somebody waits for a deadline: wait for 10 ms at most
extern int own_pid_namespace;
void watch_add(struct watch *watch, int fd);
void watch_close(struct watch *watch);
int64_t now_nanos(void);       // wall clock
int64_t monotonic_millis(void);
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void stop_machine(void);
void *allocate(size_t size);
bool write_file(const char *path, const char *text);
bool valid_name(const char *name);

// wire.c: values of the protocol
struct reader {
  const uint8_t *at, *end;
  bool failed;
  char *arena;  // strings and lists are copied here; it has room for everything that the body can hold
  size_t used;
};
struct buffer {
  uint8_t *data;
  size_t start, end, capacity;
};
struct pair {
  char *key, *value;
};
struct bytes {
  const uint8_t *data;
  uint32_t length;
};
void reader_open(struct reader *reader, const uint8_t *data, size_t length);
void reader_close(struct reader *reader);
void *reader_allocate(struct reader *reader, size_t size);
uint8_t get8(struct reader *reader);
uint16_t get16(struct reader *reader);
uint32_t get32(struct reader *reader);
uint64_t get64(struct reader *reader);
struct bytes get_bytes(struct reader *reader);
char *get_string(struct reader *reader);
uint32_t get_count(struct reader *reader, size_t least);
char **get_strings(struct reader *reader);
struct pair *get_map(struct reader *reader, uint32_t *count);
void put8(struct buffer *buffer, uint8_t value);
void put32(struct buffer *buffer, uint32_t value);
void put64(struct buffer *buffer, uint64_t value);
void put_raw(struct buffer *buffer, const void *data, size_t length);
void put_string(struct buffer *buffer, const char *text);
size_t buffer_length(const struct buffer *buffer);
void buffer_skip(struct buffer *buffer, size_t length);
void buffer_clear(struct buffer *buffer);
uint32_t crc32(uint32_t crc, const uint8_t *data, size_t length);

// port.c: frames
enum frame {
  HELLO = 1, WELCOME, REQUEST, ANSWER, DATA, CREDIT, END, RESET, EXIT, OUTPUT, ACK, EXITED,
};
struct request {
  uint32_t id;     // 0: nobody waits
  uint32_t epoch;  // of the connection; answers to former clients are dropped
};
extern uint32_t epoch;
void port_open(void);
bool port_step_in(void);
bool port_step_out(void);
bool port_flush(int millis);
bool port_connected(void);
bool port_room(void);  // for data of streams
void send_frame(uint8_t type, uint32_t id, const void *payload, size_t length);
void answer(struct request request, const struct buffer *body);
void answer_ok(struct request request);
void answer_failure(struct request request, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void put_failure(struct buffer *buffer, enum status status, const char *why);

// requests.c
void request_received(struct request request, const uint8_t *body, size_t length);
void request_done(void);
void client_gone(void);

// spec.c: what CREATE asks for
enum source { SOURCE_TREE = 1, SOURCE_SCRATCH, SOURCE_MEMORY, SOURCE_IMAGE, SOURCE_FILE };
struct mount_spec {
  char *destination, *sub_path, *name;
  bool read_only;
  enum source source;
  uint64_t bytes;
  uint32_t uid, gid, mode;
};
struct limits_spec {
  int64_t cpu_quota, cpu_period, memory, pids;
  uint64_t cpu_weight;
  int32_t oom_score;
  struct pair *unified;
  uint32_t unified_count;
};
enum pid_namespace { PIDS_OWN, PIDS_POD, PIDS_TARGET };
struct spec {
  char *id, *disk, **args, **environment, *directory, *user, *target;
  bool has_group, strict_groups, privileged, no_new_privileges, read_only_root, tty, input, input_once;
  uint32_t group, group_count, *groups, mount_count;
  uint64_t bounding, ambient;
  char **masked, **read_only;
  struct mount_spec *mounts;
  struct limits_spec limits;
  enum pid_namespace pids;
};
bool get_limits(struct reader *reader, struct limits_spec *limits);
// Null when the body is fine, else what is wrong with it.
const char *get_spec(struct reader *reader, struct spec *spec);

// child.c, run.c: what happens in the children that become programs
struct identity {
  uint32_t uid, gid, count;
  uint32_t groups[MAX_GROUPS];
  char home[256];
};
struct message {  // from a child to the loop
  uint8_t kind;   // 'R' ready, 'E' failed, 'T' terminal (with a descriptor)
  uint8_t status;
  union {
    char text[1024];
    struct identity identity;
  };
};
enum { CHILD_SOCKET = 3, CHILD_TARGET = 4 };
pid_t clone_process(uint64_t flags, int cgroup, int *pidfd);
void child_begin(int in, int out, int err, int socket, int other);
_Noreturn void child_fail(enum status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void child_send(const struct message *message, size_t length, int fd);
void child_terminal(const struct identity *identity, bool console);
void write_oom_score(int score);
void resolve_identity(const struct spec *spec, struct identity *identity);
void make_directory(const char *path);
_Noreturn void run_program(const struct spec *spec, const struct identity *identity, char **args, bool tty);

// setup.c: the root file system of a container, in its child
void setup_container(const struct spec *spec, struct identity *identity);
int open_in_root(int root, const char *path, uint64_t flags);
int make_in_root(int root, const char *path, bool directory, mode_t mode);

// disks.c
void mount_scratch(void);
const char *mount_image(const char *serial);  // null, or why not
void unmount_image(const char *serial);

// files.c
bool remove_all(int directory, const char *name, int trash);

// cgroups.c
void cgroups_open(void);
int cgroup_make(const char *id);  // a descriptor, or -1
const char *cgroup_limit(int cgroup, const struct limits_spec *limits);
const char *cgroup_protect_devices(int cgroup);
void cgroup_kill(int cgroup);
bool cgroup_empty(int cgroup);
uint64_t cgroup_value(int cgroup, const char *file, const char *key);
void cgroup_remove(const char *id);

// containers.c
enum state { CREATING, CREATED, STARTING, RUNNING, ENDING, ENDED, REMOVING };
struct exit_report {
  int32_t code, signal;
  bool out_of_memory;
  int64_t time;
};
struct ring {  // output until the host has it
  struct watch watch;
  uint8_t *bytes;
  uint64_t acked, sent, end;  // offsets in the stream
};
struct container {
  struct container *next;
  char id[MAX_NAME + 1], disks[MAX_DISKS][MAX_NAME + 1];
  enum state state;
  bool tty, input_once, has_input;
  bool failed;    // CREATE did not work: removed, then answered with `failure`
  bool ended;     // `exit` is known and all output was read
  bool reported;  // EXITED was sent to this client
  pid_t pid;
  int pidfd, cgroup;
  struct watch socket, input;  // input: a pipe, or the terminal's other side
  struct ring rings[2];
  struct identity identity;
  struct buffer body;  // of CREATE: programs of EXEC get their environment from it
  struct request create, start, removes[4];
  struct message failure;
  int64_t created, started, deadline;
  int32_t oom_score;
  struct exit_report exit;
};
extern struct container *containers;
struct container *container_find(const char *id);
void container_create(struct request request, const uint8_t *body, size_t length);
void container_start(struct request request, struct container *container);
void container_remove(struct request request, struct container *container);  // removal.c
bool container_removal_step(struct container *container);
void container_exited(struct container *container, int wait_status);
bool containers_step(void);
void containers_kill(void);
void put_exit(struct buffer *buffer, const struct exit_report *exit);
struct exit_report exit_from(int wait_status);
bool receive_message(struct watch *socket, struct message *message, int *fd, bool *over);

// output.c
bool output_step(struct container *container);
bool output_drained(struct container *container, bool final);
void output_acked(const char *id, unsigned stream, uint64_t offset);
void output_rewind(void);
void output_close(struct container *container);

// channels.c
struct channel {
  struct channel *next;
  uint32_t id;
  enum { CHANNEL_INPUT, CHANNEL_EXEC, CHANNEL_CONNECT } kind;
  struct request request;  // not answered while `answered` is false
  struct container *container;
  struct watch in;         // what input is written to; terminals and connections are also read here
  struct watch out[2], socket;
  struct buffer pending;   // input that was not taken yet
  uint32_t granted;        // bytes of input that the host may send
  uint32_t taken;          // bytes that were taken, not returned as credit yet
  uint32_t credit;         // bytes of output that the host takes
  bool answered, tty, input_ended, input_closed, output_ended, over, exited, second_try;
  uint16_t port;
  pid_t pid;
  int64_t deadline;
  struct exit_report exit;
};
extern struct channel *channels;
struct channel *channel_find(uint32_t id);
struct channel *channel_make(struct request request, int kind);
void channel_frame(uint8_t type, uint32_t id, const uint8_t *payload, size_t length);
bool channels_step(void);
void channels_close(struct container *container);  // null: all
void channel_reset(struct channel *channel);

// exec.c, connect.c
void exec_start(struct request request, struct container *container, char **args, bool tty, bool input);
bool exec_step(struct channel *channel);
void exec_exited(struct channel *channel, int wait_status);
void connect_start(struct request request, uint16_t port);
bool connect_step(struct channel *channel);

// jobs.c: children that answer a request
struct job {
  struct job *next;
  pid_t pid;
  struct watch watch;
  struct request request;
  struct buffer result;
  void (*done)(struct job *job);  // instead of the answer
  char name[MAX_NAME + 1];
};
struct job *job_start(struct request request, void (*work)(struct buffer *result, void *argument), void *argument);
bool jobs_step(void);
void job_failed(struct buffer *result, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// trees.c, network.c, usage.c
void trees_drop(void);
void tree_begin(struct request request, uint32_t number, const char *name);
void tree_add(struct request request, uint32_t number, struct reader *reader);
void tree_commit(struct request request, uint32_t number);
void tree_remove(struct request request, const char *name);
void configure(struct request request, struct reader *reader);
void usage(struct buffer *result, void *argument);
