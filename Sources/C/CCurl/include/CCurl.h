#pragma once

#if !__has_include(<curl/curl.h>)
#error "curl/curl.h is missing; `make packages` installs what Tintype needs"
#endif

#include <curl/curl.h>

// libcurl is loaded when it is first needed: loading takes 4 ms of a start of 10, and most galleries need no web. A
// table holds its functions, which are looked up once. Swift cannot call variadic functions, so there is one here for
// each type of argument.

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

/// Returns the table, which the first call loads, or NULL if libcurl is not installed.
const CCurlTable *ccurl_table(void);

// The macros of libcurl cast, so Swift does not see them.
static const unsigned long CCURLAUTH_BASIC = CURLAUTH_BASIC;
static const unsigned long CCURLAUTH_DIGEST = CURLAUTH_DIGEST;

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

// The caller keeps the list, which must outlive the transfer.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return ccurl_table()->easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *user);

static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver) {
  return ccurl_table()->easy_setopt(easy, option, receiver);
}

// The callback receives the address of a connection before anything is sent there.
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

// The handle owns the string. NULL if there is none.
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  ccurl_table()->easy_getinfo(easy, info, &value);
  return value;
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return ccurl_table()->multi_setopt(multi, option, value);
}

// Returns the result of a CURLMSG_DONE, which is in a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
