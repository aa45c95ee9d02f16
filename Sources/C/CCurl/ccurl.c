#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static CCurlTable table;
static int is_loaded;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const struct {
    void **place;
    const char *name;
  } functions[] = {
      {(void **)&table.easy_init, "curl_easy_init"},
      {(void **)&table.easy_cleanup, "curl_easy_cleanup"},
      {(void **)&table.easy_setopt, "curl_easy_setopt"},
      {(void **)&table.easy_getinfo, "curl_easy_getinfo"},
      {(void **)&table.easy_strerror, "curl_easy_strerror"},
      {(void **)&table.multi_init, "curl_multi_init"},
      {(void **)&table.multi_cleanup, "curl_multi_cleanup"},
      {(void **)&table.multi_setopt, "curl_multi_setopt"},
      {(void **)&table.multi_add_handle, "curl_multi_add_handle"},
      {(void **)&table.multi_remove_handle, "curl_multi_remove_handle"},
      {(void **)&table.multi_perform, "curl_multi_perform"},
      {(void **)&table.multi_poll, "curl_multi_poll"},
      {(void **)&table.multi_wakeup, "curl_multi_wakeup"},
      {(void **)&table.multi_info_read, "curl_multi_info_read"},
      {(void **)&table.slist_append, "curl_slist_append"},
      {(void **)&table.slist_free_all, "curl_slist_free_all"},
      {(void **)&table.url, "curl_url"},
      {(void **)&table.url_cleanup, "curl_url_cleanup"},
      {(void **)&table.url_set, "curl_url_set"},
      {(void **)&table.url_get, "curl_url_get"},
      {(void **)&table.free, "curl_free"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!(*functions[i].place = dlsym(library, functions[i].name))) return;
  is_loaded = 1;
}

const CCurlTable *ccurl_table(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &table : NULL;
}
