#pragma once

#include <curl/curl.h>

// libcurl's functions take arguments of any type, which Swift cannot call: here is one for each type.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

// libcurl copies the string.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// The list stays the caller's, and must live as long as the transfer.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *user);

static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver) {
  return curl_easy_setopt(easy, option, receiver);
}

typedef int (*ccurl_connected)(void *user, char *peer, char *own, int peer_port, int own_port);

static inline CURLcode ccurl_set_connected(CURL *easy, ccurl_connected connected) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

// The string is the handle's own. NULL where there is none.
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// The result of a CURLMSG_DONE, which is in a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
