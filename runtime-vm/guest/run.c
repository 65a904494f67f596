// From a child to the program: user, capabilities, and the program itself.
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest.h"

static bool parse_id(const char *text, uint32_t *id) {
  if (!*text || strlen(text) > 10 || text[strspn(text, "0123456789")]) return false;
  unsigned long long value = strtoull(text, NULL, 10);
  *id = (uint32_t)value;
  return value <= INT32_MAX;
}

// Files of images may be anything; only plain files are read.
static FILE *open_database(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  if (fd < 0) return NULL;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return NULL;
  }
  return fdopen(fd, "r");
}

// Splits the next line at its colons; false at the end.
static bool next_line(FILE *file, char *line, size_t size, char *fields[], int count) {
  if (!file || !fgets(line, (int)size, file)) return false;
  line[strcspn(line, "\n")] = 0;
  char *rest = line;
  for (int i = 0; i < count; i++) {
    char *field = strsep(&rest, ":");
    fields[i] = field ? field : "";
  }
  return true;
}

// An entry fits by name or by number. The name of the user is left in `user`.
static bool find_user(const char *text, struct identity *identity, char *user, size_t size) {
  FILE *file = open_database("/etc/passwd");
  char line[4096], *fields[7];
  uint32_t wanted, uid, gid;
  bool numeric = parse_id(text, &wanted), found = false;
  while (!found && next_line(file, line, sizeof line, fields, 7)) {
    if (!parse_id(fields[2], &uid) || !parse_id(fields[3], &gid)) continue;
    if (strcmp(fields[0], text) != 0 && !(numeric && uid == wanted)) continue;
    found = true;
    identity->uid = uid;
    identity->gid = gid;
    snprintf(user, size, "%s", fields[0]);
    snprintf(identity->home, sizeof identity->home, "%s", fields[5]);
  }
  if (file) fclose(file);
  if (!found && numeric) identity->uid = wanted;
  return found || numeric;
}

static bool find_group(const char *text, uint32_t *gid) {
  FILE *file = open_database("/etc/group");
  char line[4096], *fields[4];
  uint32_t wanted, number;
  bool numeric = parse_id(text, &wanted), found = false;
  while (!found && next_line(file, line, sizeof line, fields, 4)) {
    if (!parse_id(fields[2], &number)) continue;
    found = strcmp(fields[0], text) == 0 || (numeric && number == wanted);
    if (found) *gid = number;
  }
  if (file) fclose(file);
  if (!found && numeric) *gid = wanted;
  return found || numeric;
}

static void add_group(struct identity *identity, uint32_t gid) {
  for (uint32_t i = 0; i < identity->count; i++) {
    if (identity->groups[i] == gid) return;
  }
  if (identity->count < MAX_GROUPS) identity->groups[identity->count++] = gid;
}

static void add_memberships(struct identity *identity, const char *user) {
  FILE *file = open_database("/etc/group");
  char line[4096], *fields[4];
  uint32_t gid;
  while (next_line(file, line, sizeof line, fields, 4)) {
    if (!parse_id(fields[2], &gid)) continue;
    char *members = fields[3];
    for (char *member; (member = strsep(&members, ","));) {
      if (strcmp(member, user) == 0) add_group(identity, gid);
    }
  }
  if (file) fclose(file);
}

void resolve_identity(const struct spec *spec, struct identity *identity) {
  memset(identity, 0, sizeof *identity);
  char text[512], user[256] = "";
  if (strlen(spec->user) >= sizeof text) child_fail(INVALID, "the user has more than 511 bytes");
  strcpy(text, spec->user);
  char *group = strchr(text, ':');
  if (group) *group++ = 0;
  if (!find_user(*text ? text : "0", identity, user, sizeof user)) {
    child_fail(INVALID, "unable to find user %s: no matching entries in passwd file", text);
  }
  if (group && *group && !find_group(group, &identity->gid)) {
    child_fail(INVALID, "unable to find group %s: no matching entries in group file", group);
  }
  if (spec->has_group) identity->gid = spec->group;
  add_group(identity, identity->gid);
  if (!spec->strict_groups && *user) add_memberships(identity, user);
  for (uint32_t i = 0; i < spec->group_count; i++) add_group(identity, spec->groups[i]);
  if (!*identity->home) strcpy(identity->home, "/");
}

static void drop_bounding(uint64_t kept) {
  for (unsigned number = 0; number < 64 && prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number++) {
    if (!(kept >> number & 1)) prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
  }
}

static void set_capabilities(uint64_t permitted, uint64_t ambient) {
  // Capabilities that this kernel does not have cannot be set.
  for (unsigned number = 63; number > 0 && prctl(PR_CAPBSET_READ, number, 0, 0, 0) < 0; number--) {
    permitted &= ~(1ull << number);
  }
  ambient &= permitted;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  for (int i = 0; i < 2; i++) {
    data[i].effective = data[i].permitted = (uint32_t)(permitted >> 32 * i);
    // Only what is ambient: inheritable capabilities would give power to files with capabilities.
    data[i].inheritable = (uint32_t)(ambient >> 32 * i);
  }
  if (syscall(SYS_capset, &header, data) != 0) child_fail(FAILED, "cannot set capabilities: %m");
  for (unsigned number = 0; number < 64; number++) {
    if (ambient >> number & 1) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0);
  }
}

// Programs open /dev/stdout, which leads to their pipe.
static void own_pipes(uint32_t uid) {
  struct stat info;
  for (int fd = 0; fd < 3; fd++) {
    if (fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode) && fchown(fd, uid, (gid_t)-1) != 0) return;
  }
}

static void become(const struct spec *spec, const struct identity *identity) {
  uint64_t bounding = spec->privileged ? ~0ull : spec->bounding, ambient = spec->privileged ? 0 : spec->ambient;
  gid_t groups[MAX_GROUPS];
  for (uint32_t i = 0; i < identity->count; i++) groups[i] = identity->groups[i];
  drop_bounding(bounding);
  prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
  if (setgroups(identity->count, groups) != 0 || setresgid(identity->gid, identity->gid, identity->gid) != 0 ||
      setresuid(identity->uid, identity->uid, identity->uid) != 0) {
    child_fail(FAILED, "cannot become user %u and group %u: %m", identity->uid, identity->gid);
  }
  set_capabilities(bounding, ambient);
  prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
  if (spec->no_new_privileges) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static bool same_name(const char *first, const char *second) {
  size_t length = strcspn(first, "=");
  return strncmp(first, second, length) == 0 && (second[length] == '=' || second[length] == 0);
}

// The last value of a name counts. HOME comes from the user, and TERM says that there is a terminal.
static char **make_environment(const struct spec *spec, const struct identity *identity, bool tty) {
  size_t count = 0;
  while (spec->environment[count]) count++;
  char **result = allocate((count + 3) * sizeof *result), **end = result;
  bool home = false, term = false;
  for (size_t i = 0; i < count; i++) {
    bool later = false;
    for (size_t k = i + 1; k < count && !later; k++) later = same_name(spec->environment[i], spec->environment[k]);
    if (later) continue;
    *end++ = spec->environment[i];
    home |= strncmp(spec->environment[i], "HOME=", 5) == 0;
    term |= strncmp(spec->environment[i], "TERM=", 5) == 0;
  }
  static char variable[300];
  snprintf(variable, sizeof variable, "HOME=%s", identity->home);
  if (!home) *end++ = variable;
  if (tty && !term) *end++ = "TERM=xterm";
  *end = NULL;
  return result;
}

static const char *variable(char **environment, const char *name, size_t length) {
  for (; *environment; environment++) {
    if (strncmp(*environment, name, length) == 0) return *environment + length;
  }
  return NULL;
}

static void search_path(char **args, char **environment) {
  const char *path = variable(environment, "PATH=", 5);
  int error = ENOENT;
  if (!path) path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  for (const char *at = path; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
    char file[4096];
    int length = (int)strcspn(at, ":");
    if (snprintf(file, sizeof file, "%.*s/%s", length, length ? at : ".", args[0]) >= (int)sizeof file) continue;
    struct stat info;
    if (length == 0 || stat(file, &info) != 0 || S_ISDIR(info.st_mode)) continue;
    execve(file, args, environment);
    // A later directory may have one that works.
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
    if (error != ENOENT && error != EACCES) break;
  }
  if (error == ENOENT) child_fail(INVALID, "exec: \"%s\": executable file not found in $PATH", args[0]);
  child_fail(INVALID, "exec: \"%s\": %s", args[0], strerror(error));
}

_Noreturn void run_program(const struct spec *spec, const struct identity *identity, char **args, bool tty) {
  char **environment = make_environment(spec, identity, tty);
  const char *directory = *spec->directory ? spec->directory : "/";
  bool there = chdir(directory) == 0;
  own_pipes(identity->uid);
  become(spec, identity);
  // Only the user itself may be able to enter it.
  if (!there && chdir(directory) != 0) child_fail(INVALID, "cannot enter working directory %s: %m", directory);
  umask(0022);
  if (strchr(args[0], '/')) {
    execve(args[0], args, environment);
    child_fail(INVALID, "exec: \"%s\": %s", args[0], strerror(errno));
  }
  if (!*args[0]) child_fail(INVALID, "the command is empty");
  search_path(args, environment);
  _exit(1);
}
