/* A thin adapter for engines in C: requests of `rulewright conform` as words, without JSON.
 *
 *     while (rw_request()) …
 *
 * reads a request, such as `apply move roll by 1 args { }`, into `rw_word`. A place is the number of
 * a word; RW_TOP is the whole request. Answer each with one line that begins with `ok` or `no`. */

#ifndef RULEWRIGHT_H
#define RULEWRIGHT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RW_TOP 0
#define RW_NONE -1
#define RW_MOST_WORDS 20000

static char *rw_word[RW_MOST_WORDS + 1];
static int rw_words;

/* Reads the next request; false at the end. The first word is its verb. */
static inline int rw_request(void) {
    static char *line;
    static size_t room;
    char *at, *each;
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0) return 0;
    rw_words = 0;
    for (at = line; (each = strtok(at, " \r\n")) != NULL && rw_words < RW_MOST_WORDS; at = NULL)
        rw_word[rw_words++] = each;
    rw_word[rw_words] = "";
    return rw_words > 0;
}

/* Whether a word is this one. */
static inline int rw_is(int place, const char *text) {
    return place != RW_NONE && strcmp(rw_word[place], text) == 0;
}

/* The place after the value that stands at a place. */
static inline int rw_after(int place) {
    int open = 0;
    do {
        if (strchr("{[", rw_word[place][0]) && rw_word[place][0]) open++;
        if (strchr("}]", rw_word[place][0]) && rw_word[place][0]) open--;
        place++;
    } while (open > 0 && place < rw_words);
    return place;
}

/* The value of a name in the request (`RW_TOP`) or in the `{` that stands at a place. */
static inline int rw_find(int place, const char *name) {
    int each;
    if (place == RW_NONE || (place != RW_TOP && !rw_is(place, "{"))) return RW_NONE;
    for (each = place + 1; each < rw_words && rw_word[each][0] != '}'; each = rw_after(each + 1))
        if (rw_is(each, name)) return each + 1;
    return RW_NONE;
}

/* The element of a number, from 0, of the `[` that stands at a place. */
static inline int rw_element(int place, int number) {
    int each;
    if (!rw_is(place, "[")) return RW_NONE;
    for (each = place + 1; each < rw_words && !rw_is(each, "]"); each = rw_after(each))
        if (number-- == 0) return each;
    return RW_NONE;
}

/* How many values there are in a `[`, or names and values in a `{` or in the request. */
static inline int rw_count(int place) {
    int each, found = 0, end;
    if (place == RW_NONE) return 0;
    end = place == RW_TOP ? rw_words : rw_after(place) - 1;
    for (each = place + 1; each < end; each = rw_after(each)) found++;
    return found;
}

/* Reads a number between two others into `number`; false if there is none. */
static inline int rw_number(int place, int low, int high, int *number) {
    char *end;
    long found;
    if (place == RW_NONE || rw_word[place][0] == '\0') return 0;
    found = strtol(rw_word[place], &end, 10);
    if (*end != '\0' || found < low || found > high) return 0;
    *number = (int)found;
    return 1;
}

#endif
