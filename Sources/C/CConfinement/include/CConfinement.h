#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Limits this process to `memory` bytes of address space and of a file that it writes, without core files and new privileges.
void confine(size_t memory);

/// Ignores the signals that the terminal sends, and that of a closed socket.
void leave_gallery(void);

/// Moves this process, which must have one thread, into a new user namespace, without privileges and without access
/// to the memory of processes outside. Returns whether it is there: not if the system does not allow that, or if the file
/// `needed`, which may be NULL, can be read only by privilege.
int enter_namespace(const char *needed);

/// Takes this process's rights on all files that are not open yet, except reading what is at or below the paths of a list
/// that ends with NULL; also, as far as the kernel can, those on the network and on other processes. Threads that are running
/// keep theirs. Call `confine` before. Returns the version of Landlock's ABI, or 0 if the kernel has no Landlock.
int confine_files(const char *const *readable);

/// Limits this process to the system calls that decoding needs. It can neither open files for writing nor start programs,
/// and has no way to the network and to other processes. Threads that are running are not limited. Call `confine` before.
/// Returns whether the kernel does that.
int confine_calls(void);

/// Ends this process by SIGPROF when it has used `processor_seconds` of processor time from now on, and by SIGALRM when
/// `seconds` have passed. 0 lifts a limit.
void limit_time(unsigned int processor_seconds, unsigned int seconds);

/// The most descriptors in a message.
#define MOST_DESCRIPTORS 8

/// Sends bytes, and descriptors with the first of them (unix(7), SCM_RIGHTS). Returns the number of bytes sent, or -1.
ssize_t send_with_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/// Receives at most `count` bytes, and the descriptors with the first of them, of which there is room for MOST_DESCRIPTORS.
/// Returns the number of bytes, 0 at the end, or -1.
ssize_t receive_with_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count);

/// Starts a copy of this process, which must have one thread. Returns 0 in the copy, or -1 for an error.
pid_t fork_process(void);

/// Waits up to two seconds until the other end of `socket` is closed, and then kills this process's parent, if that is still
/// `parent`.
void end_parent(pid_t parent, int socket);

/// Starts a thread that kills the parent two seconds after the gallery, whose socket is descriptor 0, has ended, or when the
/// parent closes its end of `socket`. A process that a file has taken over need not notice anything. Returns whether the
/// thread runs.
int watch_parent(pid_t parent, int socket);

/// Starts a process that kills this one, which must have one thread, two seconds after the gallery has ended. Returns
/// whether it runs.
int start_guard(void);

/// Returns 0 if the memory of another process could be copied. Only tests try it.
int copy_memory(pid_t process);

/// Tries something that a process may not do which is confined, and stores a negative number, with errno set, if it is refused. Only
/// tests do this.
///
/// @param number The number of the attempt, from 0.
/// @param photo A file that was open before the process was confined.
/// @param folder A folder with the file `secret`.
/// @return The name of the attempt, or NULL if there are fewer.
const char *try_further(int number, int photo, pid_t parent, const char *folder, int *result);
