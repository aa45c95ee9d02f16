#pragma once

#if !__has_include(<curl/curl.h>)
#error "curl/curl.h is missing; `make packages` installs what Tintype needs"
#endif

#include <curl/curl.h>

// libcurl is loaded when it is first wanted: to load it takes 4 ms of a start of 10, and most galleries need no web. Its
// functions are called by a table, in which they are looked up once; and those that take arguments of any type, which
// Swift cannot call, have here one for each type.

typedef struct CCurlTable {
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  const char *(*easy_strerror)(CURLcode);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *);
  CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd[], unsigned int, int, int *);
  CURLMcode (*multi_wakeup)(CURLM *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLU *(*url)(void);
  void (*url_cleanup)(CURLU *);
  CURLUcode (*url_set)(CURLU *, CURLUPart, const char *, unsigned int);
  CURLUcode (*url_get)(const CURLU *, CURLUPart, char **, unsigned int);
  void (*free)(void *);
} CCurlTable;

/// The table, loaded by the first who asks; NULL where libcurl is not there.
const CCurlTable *ccurl_table(void);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return ccurl_table()->easy_setopt(easy, option, value);
}

// libcurl copies the string.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return ccurl_table()->easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return ccurl_table()->easy_setopt(easy, option, value);
}

// The list stays the caller's, and must live as long as the transfer.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return ccurl_table()->easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *user);

static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver) {
  return ccurl_table()->easy_setopt(easy, option, receiver);
}

// Sees the address that a connection would go to, before anything is sent there.
static inline CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback open) {
  return ccurl_table()->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
}

typedef int (*ccurl_connected)(void *user, char *peer, char *own, int peer_port, int own_port);

static inline CURLcode ccurl_set_connected(CURL *easy, ccurl_connected connected) {
  return ccurl_table()->easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return ccurl_table()->easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return ccurl_table()->easy_getinfo(easy, info, value);
}

// The string is the handle's own. NULL where there is none.
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  ccurl_table()->easy_getinfo(easy, info, &value);
  return value;
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return ccurl_table()->multi_setopt(multi, option, value);
}

// The result of a CURLMSG_DONE, which is in a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
