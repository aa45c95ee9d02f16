#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <wchar.h>

// What operating systems do in different ways. `linux.c` implements it for Linux, and `portable.c` for any other system, as
// far as POSIX goes. docs/porting.md says what the latter lacks. With TINTYPE_PORTABLE, Linux uses `portable.c`, too.

#if defined(__linux__) && !defined(TINTYPE_PORTABLE)
#define SYSTEM_IS_LINUX 1
#endif

// Memory

/// Has blocks of memory from 128 kB on return to the system when they are released (mallopt(3)).
///
/// By default the allocator raises that limit to the size of each block that is released, up to 32 MB. Images would then lie
/// among small blocks, and leave gaps.
void return_large_blocks(void);

/// Has all threads share one pool of memory.
///
/// By default, the allocator reserves 64 MB of addresses for each thread.
void share_memory_among_threads(void);

/// Returns free memory to the system, also what lies among blocks that are in use (malloc_trim(3)).
///
/// By default, the allocator returns only what lies behind all of them, and each pool keeps what it has once needed.
void return_free_memory(void);

// Text

/// Returns the number of cells that a character takes as the C library knows it, or -1 if it knows none. On Linux, the program's
/// own wcwidth, which ncurses calls, knows octants in addition.
int library_width(wchar_t character);

// Processes and threads

/// Returns the path of the running program without symbolic links, or NULL if it is unknown. The caller frees it.
char *executable_path(void);

/// Stores the name of a process, cut to fit, and the number of its parent. Returns whether the system reports them.
int describe_process(pid_t process, char *name, size_t size, pid_t *parent);

/// Names the calling thread, as debuggers and ps(1) show it.
void name_thread(const char *name);

/// Starts a program, found by PATH, and returns when the kernel has loaded it: 0, or the number of the error (errno).
///
/// The program has the standard descriptors alone: what it gets for -1 is /dev/null. Pipes of programs
/// that other threads are starting would stay open otherwise. No signal is blocked or ignored, as it may be here.
///
/// @param arguments The program's name and its arguments, ended by NULL.
/// @param environment Its variables, as NAME=value, ended by NULL.
int start_program(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int errors);

/// Starts a program, as `start_program` does, in a session of its own, so that it gets neither keys nor signals of the terminal. Its
/// output is lost.
int start_in_session(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int input, int errors);

/// Starts a program, as `start_program` does, which has a terminal for its input, output and errors. Its process group is a new
/// one, which gets the terminal's keys and signals. The calling thread must block SIGTTOU.
int start_in_terminal(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int terminal);

// Files

/// Creates a file in memory that only this process can open. Returns a descriptor, or -1 with errno set.
int create_memory_file(void);

/// Creates a file in memory, and stores the path by which this process and its children can open it. The file is gone with the
/// process. Returns a descriptor, or -1 with errno set.
int create_shared_file(char *path, size_t size);

/// Creates a file without a name in a folder. Returns a descriptor, or -1 with errno set if the file system knows no such
/// files.
int create_nameless_file(const char *folder, mode_t permissions);

/// Gives a file without a name its name. Returns 0, or -1 with errno set.
int name_file(int descriptor, const char *path);

/// Renames a file, also to another folder of the same file system, unless there is a file of the new name (EEXIST). Returns 0, or
/// -1 with errno set.
int move_without_replacing(const char *from, const char *to);

/// Does the same by giving the file a second name and taking the first one away, where the system has no such call.
int move_by_linking(const char *from, const char *to);

/// Has two files of one file system change places in one instant. Returns 0, or -1 with errno set: ENOTSUP if the system can't do
/// that.
int exchange_files(const char *one, const char *other);

/// Returns whether any process has a file open for writing, as far as the system tells its owner. The file must be open for reading.
int is_being_written(int descriptor);

/// Returns whether a folder is on a file system of memory cards or of Windows (FAT, exFAT, NTFS), which forbids characters in
/// names.
int has_windows_names(const char *folder);

/// Gives a new file the contents of another as a reference to the same blocks (FICLONE). Returns 0, or -1 if the file system has
/// no such references.
int share_contents(int from, int to);

/// Copies the next bytes of a file, in the kernel if it can. Returns their number, which is 0 at the end, or -1 with errno set.
ssize_t copy_some(int from, int to, size_t most);

/// Does the same through this process.
ssize_t copy_by_reading(int from, int to, size_t most);

/// Locks one byte of a file against other open descriptions of it, also those of this process (fcntl(2), open file description
/// locks). Returns 0, or -1 at once if another one has the lock.
int lock_byte(int descriptor, off_t place);

/// Sleeps until no other open description of a file has locked a byte of it.
void wait_for_byte(int descriptor, off_t place);

/// Releases the lock of a byte.
void unlock_byte(int descriptor, off_t place);

/// Releases the locks of an open file. Closing its descriptor does so only if no process that was forked meanwhile has a copy of it.
void unlock_bytes(int descriptor);

/// Begins a part of the program in which it may have a lock that other copies of it wait for. Such a part is short, and contains no
/// other. A stop of the program (Ctrl-Z) waits for its end, and then none begins before the program is continued.
void begin_lock(void);

/// Ends such a part.
void end_lock(void);

/// Waits until no such part runs, for some milliseconds at most, and lets none begin. A handler of a signal may call this.
void stop_locks(int milliseconds);

/// Lets such parts begin again.
void continue_locks(void);

/// Gives a file the access control list of another one, or none, and its extended attributes, as far as the file system has them.
void copy_attributes(int from, int to);

/// Drops what the system has in memory of a file, so that it is read from the disk again.
void forget_contents(int descriptor);

/// Adds blocks of 64 bytes to the state of a SHA-256 digest (FIPS 180-4) with the processor's own instructions. Returns 0, and does
/// nothing, if it has none.
///
/// @param constants The 64 constants of section 4.2.2.
int add_sha256_blocks(uint32_t *state, const uint32_t *constants, const void *blocks, size_t count);

/// Opens a file of this user's for reading, which does not count as a use of it. A symbolic link is not followed. Returns a
/// descriptor or -1.
int open_without_use(const char *path);

/// Returns the number by which the system identifies a terminal, or 0.
///
/// The file `/dev/tty` always has the same number, whichever terminal is behind it.
unsigned int terminal_number(int descriptor);

// Sockets and pipes, all of which are closed when a program is started

/// Creates two connected sockets (socketpair(2)). Returns 0, or -1 with errno set.
int connect_sockets(int ends[2]);

/// Creates a socket (socket(2)). Returns a descriptor, or -1 with errno set.
int create_socket(int family, int type, int protocol);

/// Sends bytes through a socket. A closed one is an error, not a signal. Returns the number of bytes, or -1 with errno set.
ssize_t send_without_signal(int socket, const void *bytes, size_t count);

/// Creates a pipe, both ends of which block only if `blocks` is not 0. Returns 0, or -1 with errno set.
int create_pipe(int ends[2], int blocks);

// Watching files. The events and their format are those of inotify(7), which another implementation can write to a pipe.

/// An event as it is read from a watcher, followed by `length` bytes: the name of a file in the watched folder, and zeros.
struct watch_event {
  /// The number of the path that is watched.
  int32_t path;
  /// The events that have happened: some of the bits below.
  uint32_t events;
  /// A number that both events of a move have.
  uint32_t cookie;
  uint32_t length;
};

/// The permissions, the owner or the times of a file have changed.
#define WATCH_ATTRIBUTES 0x4u
/// A file was written and closed.
#define WATCH_WRITTEN 0x8u
/// A file has gone from a watched folder to elsewhere, or has come to it.
#define WATCH_MOVED_FROM 0x40u
#define WATCH_MOVED_TO 0x80u
#define WATCH_CREATED 0x100u
#define WATCH_DELETED 0x200u
/// The watched file or folder was itself deleted or moved.
#define WATCH_SELF_DELETED 0x400u
#define WATCH_SELF_MOVED 0x800u

/// Bits that only events have: a file system was unmounted, events were lost, a path is no longer watched, and the name is a
/// folder's.
#define WATCH_UNMOUNTED 0x2000u
#define WATCH_LOST 0x4000u
#define WATCH_ENDED 0x8000u
#define WATCH_IS_FOLDER 0x40000000u

/// Options of `watch_path`: only folders are watched, files without a name are ignored, and the events are added to those for
/// which the path is watched already.
#define WATCH_ONLY_FOLDERS 0x1000000u
#define WATCH_ONLY_NAMED 0x4000000u
#define WATCH_MORE 0x20000000u

/// Creates a watcher: a descriptor from which events can be read without blocking. Returns -1 with errno set if the system has
/// none, or no more of them.
int create_watcher(void);

/// Watches a path for some events. Returns the number that the events will have, or -1 with errno set.
int watch_path(int watcher, const char *path, uint32_t events);
