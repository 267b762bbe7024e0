/* Qwixx in C, as somebody would write it who wants random games fast: bits for crosses, a list of
   moves, one of which is chosen. Unlike the other models it has all that the spec has but readings
   and variants: players answer in any order, and the scores of each game are worked out.

   qwixx GAMES SEED PLAYERS prints the steps of all games, the seconds they took, and the sum of all
   scores. The random numbers are PCG32, a number below n being drawn without bias. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAST = 11, NEED = 5, ROWS = 4, MOST_PLAYERS = 5, MISTHROWS = 4, CLOSED = 2 };

static uint64_t state;

static uint32_t next_bits(void) {
    uint64_t old = state;
    state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

static uint32_t below(uint32_t limit) {
    uint64_t product = (uint64_t)next_bits() * limit;
    if ((uint32_t)product < limit) {
        uint32_t threshold = -limit % limit;
        while ((uint32_t)product < threshold) product = (uint64_t)next_bits() * limit;
    }
    return (uint32_t)(product >> 32);
}

static int players, active, white[2], coloured[ROWS], active_crossed, over;
static uint32_t crossed[MOST_PLAYERS][ROWS], locked[MOST_PLAYERS], closed;
static int misthrows[MOST_PLAYERS];

typedef struct { int row, at; } Move;

/* The place of a number in a row: red and yellow rise, green and blue fall. */
static int place_of(int row, int number) { return row < 2 ? number - 1 : 13 - number; }

static int may_cross(int player, int row, int at) {
    uint32_t crosses = crossed[player][row];
    return !(closed >> row & 1) && !(crosses >> at)
        && (at != LAST || __builtin_popcount(crosses) >= NEED);
}

static void cross(int player, Move move) {
    crossed[player][move.row] |= 1u << move.at;
    if (move.at == LAST) locked[player] |= 1u << move.row;
}

static void close_rows(void) {
    for (int player = 0; player < players; player++) closed |= locked[player];
    for (int row = 0; row < ROWS; row++) if (closed >> row & 1) coloured[row] = 0;
}

static void end_turn(void) {
    for (int player = 0; player < players; player++) if (misthrows[player] >= MISTHROWS) over = 1;
    if (__builtin_popcount(closed) >= CLOSED) over = 1;
    active = (active + 1) % players;
}

static long play(void) {
    long steps = 0;
    Move moves[2 * ROWS + 1];
    memset(crossed, 0, sizeof crossed);
    memset(locked, 0, sizeof locked);
    memset(misthrows, 0, sizeof misthrows);
    closed = 0, over = 0, active = (int)below(players);
    while (!over) {
        white[0] = 1 + below(6), white[1] = 1 + below(6);
        for (int row = 0; row < ROWS; row++) coloured[row] = closed >> row & 1 ? 0 : 1 + below(6);
        active_crossed = 0, steps++;
        uint32_t waiting = (1u << players) - 1;
        for (int left = players; left > 0; left--, steps++) {
            uint32_t rest = waiting;
            for (uint32_t skip = below(left); skip > 0; skip--) rest &= rest - 1;
            int player = __builtin_ctz(rest), count = 1;
            waiting &= ~(1u << player);
            for (int row = 0; row < ROWS; row++) {
                int at = place_of(row, white[0] + white[1]);
                if (may_cross(player, row, at)) moves[count++] = (Move){row, at};
            }
            int chosen = below(count);
            if (chosen) cross(player, moves[chosen]), active_crossed |= player == active;
        }
        close_rows();
        if (__builtin_popcount(closed) >= CLOSED) { over = 1; break; }
        int count = 1;
        for (int row = 0; row < ROWS; row++)
            for (int die = 0; die < 2 && coloured[row]; die++) {
                int at = place_of(row, white[die] + coloured[row]);
                if (may_cross(active, row, at)) moves[count++] = (Move){row, at};
            }
        int chosen = below(count);
        if (chosen) cross(active, moves[chosen]), close_rows();
        else if (!active_crossed) misthrows[active]++;
        end_turn(), steps++;
    }
    return steps;
}

static int score(int player) {
    int total = -5 * misthrows[player];
    for (int row = 0; row < ROWS; row++) {
        int n = __builtin_popcount(crossed[player][row]) + (locked[player] >> row & 1);
        total += n * (n + 1) / 2;
    }
    return total;
}

int main(int count, char **given) {
    if (count != 4) return 2;
    long games = atol(given[1]), steps = 0, scores = 0;
    state = strtoull(given[2], 0, 10), players = atoi(given[3]);
    clock_t began = clock();
    for (long game = 0; game < games; game++) {
        steps += play();
        for (int player = 0; player < players; player++) scores += score(player);
    }
    printf("%ld %.6f %ld\n", steps, (double)(clock() - began) / CLOCKS_PER_SEC, scores);
    return 0;
}
