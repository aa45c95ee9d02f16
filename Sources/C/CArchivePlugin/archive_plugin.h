#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions of libarchive that the worker uses. They are loaded for the first archive.

/// An open archive, whose entries are read from the first to the last.
typedef struct ArchiveReader ArchiveReader;

/// An entry of an archive.
typedef struct ArchiveEntry {
  /// The path as the archive says it: UTF-8 if it can be converted, or any bytes. It is valid up to the next call.
  const char *name;
  /// The number of bytes when it is unpacked, as the archive says; -1 if it does not say.
  int64_t size;
  /// The time of the last change in seconds since 1970; 0 if it is unknown.
  int64_t modified_at;
  /// Whether the entry is a regular file, and no folder or link.
  int is_file;
  int is_encrypted;
} ArchiveEntry;

/// The reasons why a call failed.
typedef enum ArchiveFailure {
  ARCHIVE_DAMAGED = 1,
  ARCHIVE_ENCRYPTED = 2,
  /// The file is of none of the formats that are read.
  ARCHIVE_UNKNOWN = 3,
} ArchiveFailure;

typedef struct ArchivePlugin {
  /// Returns the version of libarchive, such as "3.6.2".
  const char *(*version)(void);

  /// Opens an archive from the start of a file. The archive has a duplicate of the descriptor. Returns NULL if there is no memory.
  /// The caller ends the archive with `close`.
  ArchiveReader *(*open)(int descriptor);
  void (*close)(ArchiveReader *reader);

  /// Goes to the next entry. Returns 1, 0 behind the last one, or -1 for an error, after which there are no more entries.
  int (*next)(ArchiveReader *reader, ArchiveEntry *entry);
  /// Reads the next bytes of the entry. Returns their number, 0 at the end, or -1 for an error.
  int64_t (*read)(ArchiveReader *reader, void *buffer, size_t count);
  /// Whether all that comes before an entry has to be unpacked to get to it. It is known once `next` has been called.
  int (*is_sequential)(ArchiveReader *reader);

  /// Returns the reason why the last call failed.
  ArchiveFailure (*failure)(ArchiveReader *reader);
  /// Returns the error of the last call that failed in libarchive's words. The text is valid up to the next call.
  const char *(*error)(ArchiveReader *reader);
} ArchivePlugin;

/// The name of the library's function that returns the table. It has no parameters.
#define ARCHIVE_PLUGIN_ENTRY "tintype_archive_plugin"
