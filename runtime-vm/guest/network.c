// CONFIGURE: clock, random numbers, host name, sysctls and the network device, by rtnetlink.
#include <arpa/inet.h>
#include <dirent.h>
#include <linux/if_addr.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "guest.h"

struct message_buffer {
  struct nlmsghdr header;
  uint8_t rest[512];
};

struct address {
  int family, prefix;
  size_t size;
  uint8_t bytes[16];
};

static int netlink = -1;

static void add_attribute(struct message_buffer *message, uint16_t type, const void *data, size_t length) {
  struct rtattr *attribute = (void *)((uint8_t *)message + NLMSG_ALIGN(message->header.nlmsg_len));
  attribute->rta_type = type;
  attribute->rta_len = (unsigned short)RTA_LENGTH(length);
  memcpy(RTA_DATA(attribute), data, length);
  message->header.nlmsg_len = NLMSG_ALIGN(message->header.nlmsg_len) + (uint32_t)RTA_ALIGN(attribute->rta_len);
}

static void *start_message(struct message_buffer *message, uint16_t type, uint16_t flags, size_t size) {
  memset(message, 0, sizeof *message);
  message->header.nlmsg_type = type;
  message->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
  message->header.nlmsg_len = (uint32_t)NLMSG_LENGTH(size);
  return NLMSG_DATA(&message->header);
}

// Sends and takes the kernel's answer; errno says what was wrong.
static bool ask(struct message_buffer *message) {
  uint8_t reply[4096];
  if (send(netlink, message, message->header.nlmsg_len, 0) < 0) return false;
  ssize_t length = recv(netlink, reply, sizeof reply, 0);
  struct nlmsghdr *header = (void *)reply;
  if (length < (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) || header->nlmsg_type != NLMSG_ERROR) {
    errno = EPROTO;
    return false;
  }
  errno = -((struct nlmsgerr *)NLMSG_DATA(header))->error;
  return errno == 0;
}

// Removes all addresses or routes of the device that were set before.
static void flush(uint16_t get, uint16_t remove, unsigned device) {
  for (int family = AF_INET; family <= AF_INET6; family += AF_INET6 - AF_INET) {
    struct message_buffer message;
    uint8_t reply[8192];
    bool more = true;
    struct buffer found = {0};
    struct rtgenmsg *generic = start_message(&message, get, NLM_F_DUMP, sizeof(struct rtmsg));
    generic->rtgen_family = (unsigned char)family;
    message.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    if (send(netlink, &message, message.header.nlmsg_len, 0) < 0) return;
    while (more) {
      ssize_t length = recv(netlink, reply, sizeof reply, 0);
      if (length <= 0) break;
      for (struct nlmsghdr *at = (void *)reply; NLMSG_OK(at, length); at = NLMSG_NEXT(at, length)) {
        if (at->nlmsg_type == NLMSG_DONE || at->nlmsg_type == NLMSG_ERROR) {
          more = false;
          break;
        }
        put_raw(&found, at, NLMSG_ALIGN(at->nlmsg_len));
      }
    }
    for (size_t at = 0; at < buffer_length(&found);) {
      struct nlmsghdr *header = (void *)(found.data + at);
      at += NLMSG_ALIGN(header->nlmsg_len);
      if (header->nlmsg_len > sizeof message) continue;
      bool route = remove == RTM_DELROUTE;
      struct rtmsg *properties = NLMSG_DATA(header);
      // Routes that the kernel made go with their address.
      if (route && (properties->rtm_protocol == RTPROT_KERNEL || properties->rtm_table != RT_TABLE_MAIN)) continue;
      if (!route && ((struct ifaddrmsg *)NLMSG_DATA(header))->ifa_index != device) continue;
      memcpy(&message, header, header->nlmsg_len);
      message.header.nlmsg_type = remove;
      message.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
      ask(&message);
    }
    buffer_clear(&found);
  }
}

// ADDRESS or ADDRESS/PREFIX
static bool parse_address(const char *text, struct address *address) {
  char host[64];
  const char *slash = strchr(text, '/');
  size_t length = slash ? (size_t)(slash - text) : strlen(text);
  if (length >= sizeof host) return false;
  memcpy(host, text, length);
  host[length] = 0;
  address->family = strchr(host, ':') ? AF_INET6 : AF_INET;
  address->size = address->family == AF_INET ? 4 : 16;
  address->prefix = slash ? atoi(slash + 1) : (int)address->size * 8;
  return inet_pton(address->family, host, address->bytes) == 1 && address->prefix >= 0 &&
         address->prefix <= (int)address->size * 8;
}

static bool add_address(unsigned device, const char *text) {
  struct address address;
  struct message_buffer message;
  errno = EINVAL;
  if (!parse_address(text, &address)) return false;
  struct ifaddrmsg *properties = start_message(&message, RTM_NEWADDR, NLM_F_CREATE | NLM_F_REPLACE, sizeof *properties);
  properties->ifa_family = (unsigned char)address.family;
  properties->ifa_prefixlen = (unsigned char)address.prefix;
  // The host gives each address once: looking for others that have it would only take time.
  properties->ifa_flags = address.family == AF_INET6 ? IFA_F_NODAD : 0;
  properties->ifa_index = device;
  add_attribute(&message, IFA_LOCAL, address.bytes, address.size);
  add_attribute(&message, IFA_ADDRESS, address.bytes, address.size);
  return ask(&message);
}

static bool add_route(unsigned device, const char *destination, const char *gateway) {
  struct address to, by;
  struct message_buffer message;
  errno = EINVAL;
  if (!parse_address(destination, &to)) return false;
  if (*gateway && (!parse_address(gateway, &by) || by.family != to.family)) return false;
  struct rtmsg *properties = start_message(&message, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, sizeof *properties);
  properties->rtm_family = (unsigned char)to.family;
  properties->rtm_dst_len = (unsigned char)to.prefix;
  properties->rtm_table = RT_TABLE_MAIN;
  properties->rtm_protocol = RTPROT_STATIC;
  properties->rtm_scope = *gateway ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK;
  properties->rtm_type = RTN_UNICAST;
  add_attribute(&message, RTA_DST, to.bytes, to.size);
  // The gateway need not be in the network of an address.
  if (*gateway) {
    add_attribute(&message, RTA_GATEWAY, by.bytes, by.size);
    properties->rtm_flags = RTNH_F_ONLINK;
  }
  add_attribute(&message, RTA_OIF, &device, sizeof device);
  return ask(&message);
}

static bool set_link(unsigned device, bool up, const char *mac, uint32_t mtu) {
  struct message_buffer message;
  struct ifinfomsg *properties = start_message(&message, RTM_NEWLINK, 0, sizeof *properties);
  properties->ifi_index = (int)device;
  properties->ifi_change = IFF_UP;
  properties->ifi_flags = up ? IFF_UP : 0;
  if (*mac) {
    uint8_t bytes[6];
    char rest;
    errno = EINVAL;
    if (sscanf(mac, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &bytes[0], &bytes[1], &bytes[2], &bytes[3], &bytes[4],
               &bytes[5], &rest) != 6) {
      return false;
    }
    add_attribute(&message, IFLA_ADDRESS, bytes, sizeof bytes);
  }
  if (mtu) add_attribute(&message, IFLA_MTU, &mtu, sizeof mtu);
  return ask(&message);
}

static unsigned find_device(char *name) {
  DIR *devices = opendir("/sys/class/net");
  unsigned index = 0;
  for (struct dirent *entry; devices && !index && (entry = readdir(devices));) {
    char path[300];
    snprintf(path, sizeof path, "/sys/class/net/%s/device", entry->d_name);
    if (entry->d_name[0] == '.' || access(path, F_OK) != 0 || strlen(entry->d_name) >= IF_NAMESIZE) continue;
    strcpy(name, entry->d_name);
    index = if_nametoindex(name);
  }
  if (devices) closedir(devices);
  return index;
}

static void set_device_options(const char *device) {
  const char *const options[][2] = {{"ipv6/conf/%s/accept_ra", "0"}, {"ipv6/conf/%s/accept_dad", "0"},
                                    {"ipv4/conf/%s/arp_notify", "1"}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char path[128] = "/proc/sys/net/";
    snprintf(path + strlen(path), sizeof path - strlen(path), options[i][0], device);
    write_file(path, options[i][1]);
  }
}

static const char *set_network(const char *mac, uint32_t mtu, char **addresses, struct pair *routes, uint32_t count) {
  static char why[512];
  char name[IF_NAMESIZE];
  unsigned device = find_device(name), loopback = if_nametoindex("lo");
  if (!set_link(loopback, true, "", 0)) return "cannot use the loopback device";
  if (!device) return *addresses || count ? "the machine has no network device" : NULL;
  flush(RTM_GETROUTE, RTM_DELROUTE, device);
  flush(RTM_GETADDR, RTM_DELADDR, device);
  if (!*addresses && !count && !*mac && !mtu) {
    set_link(device, false, "", 0);
    return NULL;
  }
  set_device_options(name);
  if (!set_link(device, false, mac, mtu) || !set_link(device, true, "", 0)) {
    snprintf(why, sizeof why, "cannot set up network device %s with mac %.32s and mtu %u: %m", name, mac, mtu);
    return why;
  }
  for (; *addresses; addresses++) {
    if (add_address(device, *addresses)) continue;
    snprintf(why, sizeof why, "cannot add address %.64s: %m", *addresses);
    return why;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (add_route(device, routes[i].key, routes[i].value)) continue;
    snprintf(why, sizeof why, "cannot add route %.64s by %.64s: %m", routes[i].key, routes[i].value);
    return why;
  }
  return NULL;
}

static void reseed(struct bytes seed) {
  struct {
    struct rand_pool_info info;
    uint8_t bytes[256];
  } entropy;
  int fd = open("/dev/urandom", O_RDWR | O_CLOEXEC);
  entropy.info.entropy_count = (int)seed.length * 8;
  entropy.info.buf_size = (int)seed.length;
  memcpy(entropy.info.buf, seed.data, seed.length);
  if (fd < 0 || ioctl(fd, RNDADDENTROPY, &entropy) != 0 || ioctl(fd, RNDRESEEDCRNG) != 0) log_line("cannot reseed: %m");
  close(fd);
}

// Names have dots, or slashes where a part has a dot itself.
static bool set_sysctl(const char *name, const char *value) {
  char path[512] = "/proc/sys/";
  bool slashes = strchr(name, '/');
  errno = EINVAL;
  if (!*name || strlen(name) > 400 || strstr(name, "..") || *name == '/') return false;
  strcat(path, name);
  for (char *at = path + 10; *at && !slashes; at++) {
    if (*at == '.') *at = '/';
  }
  return write_file(path, value);
}

void configure(struct request request, struct reader *reader) {
  int64_t now = (int64_t)get64(reader);
  struct bytes seed = get_bytes(reader);
  const char *host = get_string(reader), *mac = get_string(reader);
  uint32_t mtu = get32(reader), route_count, sysctl_count;
  char **addresses = get_strings(reader);
  struct pair *routes = get_map(reader, &route_count), *sysctls = get_map(reader, &sysctl_count);
  if (reader->failed || seed.length < 16 || seed.length > 256 || now < 0) {
    answer_failure(request, INVALID, "the configuration is too short, or its seed has not 16 to 256 bytes");
    return;
  }
  clock_settime(CLOCK_REALTIME, &(struct timespec){now / 1000000000, now % 1000000000});
  reseed(seed);
  if (*host && sethostname(host, strlen(host)) != 0) {
    answer_failure(request, INVALID, "cannot set the host name %s: %m", host);
    return;
  }
  netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  const char *wrong = set_network(mac, mtu, addresses, routes, route_count);
  close(netlink);
  if (wrong) {
    answer_failure(request, INVALID, "%s", wrong);
    return;
  }
  for (uint32_t i = 0; i < sysctl_count; i++) {
    if (set_sysctl(sysctls[i].key, sysctls[i].value)) continue;
    answer_failure(request, INVALID, "cannot set sysctl %s to %s: %m", sysctls[i].key, sysctls[i].value);
    return;
  }
  answer_ok(request);
}
