/*
 * Starts QEMU with what only root can prepare, and with nothing else.
 *
 *   machine-launcher STEP... -- PROGRAM ARGUMENT...
 *
 * Steps are done in the order given. A step that ends in FD opens a file for the program and
 * fails if it does not get this number, so that the caller's command line is right or refused:
 *
 *   listen PATH FD               a listening unix socket
 *   open PATH FD                 a file, read-only
 *   share PATH FD                a file of which the program has the only writable mapping
 *   tap NAME FD                  a tap device of the current network namespace, made if missing
 *   network PATH                 enters a network namespace; `new` makes one
 *   cgroup PATH                  joins the control group of a cgroup.procs file
 *   clock NAME=1000000           the number becomes the kHz of the processor's clock where an
 *                                argument of the program has this text
 *   keep PATH FD                 the program's output goes to a file that never grows beyond LIMIT
 *   user ID GROUP                gives up root for good; GROUP is a supplementary group, or 0
 *
 * No C library: the same binary runs on every Linux of this architecture.
 */
#include <asm/unistd.h>
#include <asm/ioctls.h>
#include <linux/fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/ioctl.h>
#include <linux/limits.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/un.h>

#define LIMIT 65536
#define HEADER 8
#define KEEPERS 2

typedef unsigned long word;

struct keeper {
  int pipe;
  int file;
  unsigned long long written;
};

static struct keeper keepers[KEEPERS];
static int kept;

static long call(long number, word a, word b, word c, word d, word e) {
  long result;
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
  return result;
}

/* The compiler may call these by name. */
void *memset(void *place, int value, unsigned long count) {
  char *bytes = place;
  while (count-- > 0) *bytes++ = (char)value;
  return place;
}

void *memcpy(void *place, const void *source, unsigned long count) {
  char *to = place;
  const char *from = source;
  while (count-- > 0) *to++ = *from++;
  return place;
}

static word length(const char *text) {
  word count = 0;
  while (text[count]) count++;
  return count;
}

static int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static void say(const char *text) { call(__NR_write, 2, (word)text, length(text), 0, 0); }

static void leave(int code) {
  for (;;) call(__NR_exit_group, (word)code, 0, 0, 0, 0);
}

static void say_number(long value) {
  char digits[24];
  int at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  say(digits + at);
}

/* The caller reads "STEP ARGUMENT: error N" and knows the names of errors. */
static long checked(long result, const char *step, const char *argument) {
  if (result >= 0) return result;
  say("machine-launcher: ");
  say(step);
  say(" ");
  say(argument);
  say(": error ");
  say_number(-result);
  say("\n");
  leave(125);
  return result;
}

static long number(const char *text) {
  long value = 0;
  if (!*text) checked(-22, "number", "");
  for (const char *at = text; *at; at++) {
    if (*at < '0' || *at > '9' || value > 400000000) checked(-22, "number", text);
    value = value * 10 + (*at - '0');
  }
  return value;
}

static void expect(long descriptor, const char *wanted, const char *step, const char *argument) {
  if (descriptor != number(wanted)) checked(-9, step, argument);
}

static void listen_at(char **step) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  word size = length(step[1]);
  if (size >= sizeof address.sun_path) checked(-36, "listen", step[1]);
  memcpy(address.sun_path, step[1], size);
  long made = checked(call(__NR_socket, AF_UNIX, 1, 0, 0, 0), "socket", step[1]);
  expect(made, step[2], "listen", step[1]);
  checked(call(__NR_bind, (word)made, (word)&address, sizeof address, 0, 0), "bind", step[1]);
  checked(call(__NR_listen, (word)made, 4, 0, 0, 0), "listen", step[1]);
}

static void open_at(char **step, word flags) {
  long opened = checked(call(__NR_open, (word)step[1], flags, 0, 0, 0), "open", step[1]);
  expect(opened, step[2], "open", step[1]);
}

static void open_tap(char **step) {
  struct ifreq request;
  memset(&request, 0, sizeof request);
  word size = length(step[1]);
  if (size >= IFNAMSIZ) checked(-36, "tap", step[1]);
  memcpy(request.ifr_name, step[1], size);
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  long opened =
      checked(call(__NR_open, (word) "/dev/net/tun", O_RDWR, 0, 0, 0), "open", "/dev/net/tun");
  expect(opened, step[2], "tap", step[1]);
  checked(call(__NR_ioctl, (word)opened, TUNSETIFF, (word)&request, 0, 0), "tap", step[1]);
}

static void enter_network(const char *path) {
  if (same(path, "new")) {
    checked(call(__NR_unshare, CLONE_NEWNET, 0, 0, 0, 0), "network", path);
    return;
  }
  long opened = checked(call(__NR_open, (word)path, O_RDONLY, 0, 0, 0), "network", path);
  checked(call(__NR_setns, (word)opened, CLONE_NEWNET, 0, 0, 0), "network", path);
  call(__NR_close, (word)opened, 0, 0, 0, 0);
}

static void join_cgroup(const char *path) {
  long opened = checked(call(__NR_open, (word)path, O_WRONLY, 0, 0, 0), "cgroup", path);
  checked(call(__NR_write, (word)opened, (word) "0", 1, 0, 0), "cgroup", path);
  call(__NR_close, (word)opened, 0, 0, 0, 0);
}

struct moment {
  unsigned long long nanos, ticks;
};

/* Of some readings the one that was disturbed least. */
static struct moment read_clocks(void) {
  struct moment best = {0, 0};
  unsigned long long least = ~0ULL;
  for (int i = 0; i < 8; i++) {
    long time[2];
    unsigned long long before = __builtin_ia32_rdtsc();
    checked(call(__NR_clock_gettime, 4, (word)time, 0, 0, 0), "clock", "CLOCK_MONOTONIC_RAW");
    unsigned long long after = __builtin_ia32_rdtsc();
    if (after - before >= least) continue;
    least = after - before;
    best.nanos = (unsigned long long)time[0] * 1000000000 + (unsigned long long)time[1];
    best.ticks = before + least / 2;
  }
  return best;
}

static unsigned long long clock_khz(void) {
  long pause[2] = {0, 20000000};
  struct moment first = read_clocks(), last;
  call(__NR_nanosleep, (word)pause, 0, 0, 0, 0);
  last = read_clocks();
  return (last.ticks - first.ticks) * 1000000 / (last.nanos - first.nanos);
}

/* A translated processor counts as the host's does, which the kernel of a guest has to know. */
static void set_clock(char **step, char **end) {
  word size = length(step[1]);
  char digits[8];
  unsigned long long khz = clock_khz();
  int places = 7;
  if (size < 8 || khz > 9999999) checked(-22, "clock", step[1]);
  for (unsigned long long limit = 1000000; places > 1 && khz < limit; limit /= 10) places--;
  for (int i = 0; i < 7; i++) digits[i] = ' ';
  for (int i = places - 1; i >= 0; i--, khz /= 10) digits[i] = (char)('0' + khz % 10);
  char **argument = step;
  while (argument < end && !same(*argument, "--")) argument++;
  for (; argument < end; argument++) {
    for (char *at = *argument; *at; at++) {
      word equal = 0;
      while (equal < size && at[equal] == step[1][equal]) equal++;
      if (equal == size) memcpy(at + size - 7, digits, 7);
    }
  }
}

/* Descriptors of the keeper are numbered from 1000, out of the way of the expected ones. */
static int away(long descriptor) {
  long moved = checked(
      call(__NR_fcntl, (word)descriptor, F_DUPFD_CLOEXEC, 1000, 0, 0), "fcntl", "keep");
  call(__NR_close, (word)descriptor, 0, 0, 0, 0);
  return (int)moved;
}

static void keep_output(char **step) {
  int ends[2];
  if (kept == KEEPERS) checked(-7, "keep", step[1]);
  long file = checked(
      call(__NR_open, (word)step[1], O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600, 0, 0), "keep",
      step[1]);
  keepers[kept].file = away(file);
  checked(call(__NR_pipe2, (word)ends, 0, 0, 0, 0), "pipe", step[1]);
  keepers[kept].pipe = away(ends[0]);
  int writer = away(ends[1]);
  /* Errors of later steps go there, too; without CLOEXEC. */
  checked(call(__NR_dup2, (word)writer, (word)number(step[2]), 0, 0, 0), "dup2", step[2]);
  call(__NR_close, (word)writer, 0, 0, 0, 0);
  kept++;
}

static void become(char **step) {
  word user = (word)number(step[1]);
  unsigned group = (unsigned)number(step[2]);
  if (user == 0) checked(-22, "user", step[1]);
  checked(call(__NR_setgroups, group == 0 ? 0 : 1, (word)&group, 0, 0, 0), "setgroups", step[2]);
  checked(call(__NR_setresgid, user, user, user, 0, 0), "setresgid", step[1]);
  checked(call(__NR_setresuid, user, user, user, 0, 0), "setresuid", step[1]);
  checked(call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl", step[1]);
}

/* The last LIMIT bytes, at `8 + (offset modulo LIMIT)`; the first 8 bytes say how many there were. */
static void append(struct keeper *to, const char *bytes, word count) {
  while (count > 0) {
    word at = to->written % LIMIT;
    word part = count < LIMIT - at ? count : LIMIT - at;
    if (call(__NR_pwrite64, (word)to->file, (word)bytes, part, HEADER + at, 0) != (long)part)
      return;
    bytes += part;
    count -= part;
    to->written += part;
  }
  call(__NR_pwrite64, (word)to->file, (word)&to->written, HEADER, 0, 0);
}

/* Ends when nobody can write any more: the program is gone. */
static void keep(void) {
  static char buffer[4096];
  struct pollfd waits[KEEPERS];
  int open = kept;
  call(__NR_chdir, (word) "/", 0, 0, 0, 0);
  call(__NR_close_range, 0, 999, 0, 0, 0);
  for (int i = 0; i < kept; i++) {
    waits[i].fd = keepers[i].pipe;
    waits[i].events = POLLIN;
  }
  while (open > 0) {
    call(__NR_poll, (word)waits, (word)kept, (word)-1, 0, 0);
    for (int i = 0; i < kept; i++) {
      if (waits[i].fd < 0 || !waits[i].revents) continue;
      long count = call(__NR_read, (word)waits[i].fd, (word)buffer, sizeof buffer, 0, 0);
      if (count > 0) {
        append(&keepers[i], buffer, (word)count);
      } else if (count != -4) {
        waits[i].fd = -1;
        open--;
      }
    }
  }
  leave(0);
}

static char **run_step(char **step, char **end) {
  static const struct {
    const char *name;
    int arguments;
  } steps[] = {{"listen", 2}, {"open", 2}, {"share", 2},  {"tap", 2},
               {"network", 1}, {"cgroup", 1}, {"keep", 2}, {"user", 2},
               {"clock", 1}};
  int found = -1;
  for (int i = 0; i < 9; i++)
    if (same(steps[i].name, step[0])) found = i;
  if (found < 0 || end - step <= steps[found].arguments) checked(-22, "step", step[0]);
  switch (found) {
    case 0: listen_at(step); break;
    case 1: open_at(step, O_RDONLY); break;
    case 2: open_at(step, O_RDWR); break;
    case 3: open_tap(step); break;
    case 4: enter_network(step[1]); break;
    case 5: join_cgroup(step[1]); break;
    case 6: keep_output(step); break;
    case 8: set_clock(step, end); break;
    default: become(step);
  }
  return step + 1 + steps[found].arguments;
}

static void limit(int resource, word value) {
  struct {
    word soft, hard;
  } both = {value, value};
  call(__NR_prlimit64, 0, (word)resource, (word)&both, 0, 0);
}

__attribute__((used)) void launch(word *stack) {
  char **arguments = (char **)(stack + 1);
  char **end = arguments + stack[0];
  char **environment = end + 1;
  char **step = arguments + 1;
  call(__NR_setsid, 0, 0, 0, 0, 0);
  call(__NR_umask, 0077, 0, 0, 0, 0);
  call(__NR_close_range, 3, ~0U, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  while (step < end && !same(*step, "--")) step = run_step(step, end);
  if (end - step < 2) checked(-22, "program", "");
  if (kept > 0 && checked(call(__NR_fork, 0, 0, 0, 0, 0), "fork", "keep") == 0) keep();
  checked(call(__NR_execve, (word)step[1], (word)(step + 1), (word)environment, 0, 0), "execute",
      step[1]);
}

__asm__(
    ".globl _start\n"
    "_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call launch\n"
    "  hlt\n");
