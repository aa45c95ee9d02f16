#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The macros of control messages are not available in Swift.

// Where these flags are missing, the sockets themselves send no signal (`connect_sockets`), and the worker starts no programs.
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif

union control {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
};

ssize_t send_with_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
  union control control;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > MOST_DESCRIPTORS) return -1;
  if (descriptor_count > 0) {
    size_t size = descriptor_count * sizeof *descriptors;
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(size);
    control.head.cmsg_len = CMSG_LEN(size);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.head), descriptors, size);
  }
  ssize_t sent;
  while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return sent;
}

ssize_t receive_with_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count) {
  union control control;
  struct iovec part = {bytes, count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *descriptor_count = 0;
  ssize_t received;
  while ((received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  struct cmsghdr *head = received < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
    size_t size = head->cmsg_len - CMSG_LEN(0);
    memcpy(descriptors, CMSG_DATA(head), size);
    *descriptor_count = (int)(size / sizeof *descriptors);
  }
  return received;
}

pid_t fork_process(void) { return fork(); }
