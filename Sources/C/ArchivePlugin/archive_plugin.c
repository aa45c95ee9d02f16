#define _GNU_SOURCE
#if !__has_include(<archive.h>)
#error "archive.h is missing; `make packages` installs what Tintype needs"
#endif

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "../CArchivePlugin/archive_plugin.h"

struct ArchiveReader {
  struct archive *archive;
  struct archive_entry *entry;
  int descriptor;
  /// The offset of the next byte that is read. The descriptor's own is shared with its duplicates.
  int64_t place;
  int64_t size;
  ArchiveFailure failure;
  char buffer[1 << 16];
};

// MARK: - The file

static la_ssize_t read_file(struct archive *archive, void *data, const void **bytes) {
  ArchiveReader *reader = data;
  ssize_t count = pread(reader->descriptor, reader->buffer, sizeof reader->buffer, reader->place);
  if (count < 0) archive_set_error(archive, EIO, "the file can't be read");
  if (count > 0) reader->place += count;
  *bytes = reader->buffer;
  return count;
}

static la_int64_t skip_file(struct archive *archive, void *data, la_int64_t count) {
  ArchiveReader *reader = data;
  (void)archive;
  // What is missing from a file that is cut off is noticed by the next read.
  int64_t rest = reader->size - reader->place, skipped = count < rest ? count : rest;
  if (skipped <= 0) return 0;
  reader->place += skipped;
  return skipped;
}

static la_int64_t seek_file(struct archive *archive, void *data, la_int64_t offset, int whence) {
  ArchiveReader *reader = data;
  (void)archive;
  int64_t base = whence == SEEK_CUR ? reader->place : whence == SEEK_END ? reader->size : 0, place;
  if (__builtin_add_overflow(base, offset, &place) || place < 0 || place > reader->size) return ARCHIVE_FATAL;
  return reader->place = place;
}

// MARK: - Names

/// The locale in which libarchive converts names. Under the C locale of the process, it would lose all that are not ASCII.
static locale_t utf8(void) {
  static locale_t locale;
  if (!locale) locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
  return locale ? locale : LC_GLOBAL_LOCALE;
}

static const char *name_of(struct archive_entry *entry) {
  const char *name = archive_entry_pathname_utf8(entry);
  return name ? name : archive_entry_pathname(entry);
}

// MARK: - Reading

/// Adds the formats and compressions that libarchive reads by itself. For others, it would start a program.
static void add_formats(struct archive *archive) {
  archive_read_support_format_zip(archive);
  archive_read_support_format_tar(archive);
  archive_read_support_format_7zip(archive);
  archive_read_support_format_rar(archive);
  archive_read_support_format_rar5(archive);
  archive_read_support_filter_gzip(archive);
  archive_read_support_filter_bzip2(archive);
  archive_read_support_filter_compress(archive);
  archive_read_support_filter_xz(archive);
  archive_read_support_filter_lzma(archive);
  archive_read_support_filter_lzip(archive);
  archive_read_support_filter_lz4(archive);
  archive_read_support_filter_zstd(archive);
}

static void close_reader(ArchiveReader *reader) {
  if (!reader) return;
  archive_read_free(reader->archive);
  if (reader->descriptor >= 0) close(reader->descriptor);
  free(reader);
}

static ArchiveReader *open_reader(int descriptor) {
  ArchiveReader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->descriptor = dup(descriptor);
  reader->size = reader->descriptor < 0 ? -1 : lseek(reader->descriptor, 0, SEEK_END);
  reader->archive = archive_read_new();
  if (reader->size < 0 || !reader->archive) {
    close_reader(reader);
    return NULL;
  }
  add_formats(reader->archive);
  archive_read_set_read_callback(reader->archive, read_file);
  archive_read_set_skip_callback(reader->archive, skip_file);
  archive_read_set_seek_callback(reader->archive, seek_file);
  archive_read_set_callback_data(reader->archive, reader);
  return reader;
}

/// Notes why a call failed. Returns -1.
static int fail(ArchiveReader *reader) {
  const char *text = archive_error_string(reader->archive);
  int is_encrypted = text && (strcasestr(text, "encrypt") || strcasestr(text, "passphrase"));
  reader->failure = is_encrypted ? ARCHIVE_ENCRYPTED : archive_format(reader->archive) ? ARCHIVE_DAMAGED : ARCHIVE_UNKNOWN;
  return -1;
}

static int next_entry(ArchiveReader *reader, ArchiveEntry *entry) {
  locale_t before = uselocale(utf8());
  int is_open = archive_file_count(reader->archive) > 0 || archive_format(reader->archive);
  int code = is_open ? ARCHIVE_OK : archive_read_open1(reader->archive);
  if (code >= ARCHIVE_WARN) code = archive_read_next_header(reader->archive, &reader->entry);
  if (code >= ARCHIVE_WARN && code != ARCHIVE_EOF) {
    struct archive_entry *found = reader->entry;
    entry->name = name_of(found);
    entry->size = archive_entry_size_is_set(found) ? archive_entry_size(found) : -1;
    entry->modified_at = archive_entry_mtime_is_set(found) ? archive_entry_mtime(found) : 0;
    entry->is_file = archive_entry_filetype(found) == AE_IFREG && !archive_entry_hardlink(found);
    entry->is_encrypted = archive_entry_is_encrypted(found) > 0;
  }
  uselocale(before);
  return code == ARCHIVE_EOF ? 0 : code >= ARCHIVE_WARN ? 1 : fail(reader);
}

static int64_t read_entry(ArchiveReader *reader, void *buffer, size_t count) {
  la_ssize_t done = archive_read_data(reader->archive, buffer, count);
  return done < 0 ? fail(reader) : done;
}

static int is_sequential(ArchiveReader *reader) {
  // The uncompressed bytes themselves count as a filter.
  int format = archive_format(reader->archive) & ARCHIVE_FORMAT_BASE_MASK;
  return archive_filter_count(reader->archive) > 1 || format == ARCHIVE_FORMAT_7ZIP;
}

static ArchiveFailure failure(ArchiveReader *reader) { return reader->failure; }

static const char *error(ArchiveReader *reader) { return archive_error_string(reader->archive); }

static const char *version(void) {
  const char *text = archive_version_string(), *number = strchr(text, ' ');
  return number ? number + 1 : text;
}

const ArchivePlugin *tintype_archive_plugin(void);

const ArchivePlugin *tintype_archive_plugin(void) {
  static const ArchivePlugin plugin = {
      .version = version,
      .open = open_reader,
      .close = close_reader,
      .next = next_entry,
      .read = read_entry,
      .is_sequential = is_sequential,
      .failure = failure,
      .error = error,
  };
  return &plugin;
}
