/* Pig in C, and the adapter that holds it to the rules:
 *
 *     cc -o pig examples/adapters/c/pig.c
 *     rulewright conform spec/tutorial/pig.rules words:./pig
 */

#include "rulewright.h"

/* ---- the engine: it knows nothing of adapters */

enum phase { DECIDE, ROLLING, WON };

static struct {
    int players, active, total, points[4];
    enum phase phase;
} game;

static void next_turn(void) {
    game.total = 0;
    game.active = (game.active + 1) % game.players;
    game.phase = DECIDE;
}

static const char *roll(int player) {
    if (game.phase != DECIDE || player != game.active) return "it is not your turn";
    if (game.points[player] + game.total >= 100) return "hold, and you have won";
    game.phase = ROLLING;
    return NULL;
}

static const char *hold(int player) {
    if (game.phase != DECIDE || player != game.active) return "it is not your turn";
    if (game.total == 0) return "roll first";
    game.points[player] += game.total;
    if (game.points[player] >= 100) game.phase = WON;
    else next_turn();
    return NULL;
}

static const char *fall(int pips) {
    if (game.phase != ROLLING) return "nobody rolls";
    if (pips == 1) next_turn();
    else game.total += pips, game.phase = DECIDE;
    return NULL;
}

/* ---- the adapter */

static const char *begin(void) {
    int players, active;
    if (!rw_number(rw_find(RW_TOP, "players"), 2, 4, &players)) return "for two to four";
    if (!rw_is(rw_find(RW_TOP, "variant"), "none")) return "there are no variants";
    if (!rw_number(rw_find(RW_TOP, "active"), 1, players, &active)) return "who begins?";
    memset(&game, 0, sizeof game);
    game.players = players;
    game.active = active - 1;
    return NULL;
}

static const char *apply(void) {
    int args = rw_find(RW_TOP, "args"), move = rw_find(RW_TOP, "move"), by, pips;
    if (!rw_is(args, "{")) return "there are no arguments";
    if (rw_is(rw_find(RW_TOP, "chance"), "fall") && rw_count(RW_TOP) == 4)
        return rw_count(args) == 2 && rw_number(rw_find(args, "pips"), 1, 6, &pips)
            ? fall(pips) : "a die shows 1 to 6";
    if (!rw_number(rw_find(RW_TOP, "by"), 1, game.players, &by)) return "there is no such player";
    if (rw_count(RW_TOP) != 6 || rw_count(args) != 0) return "that is too much";
    if (rw_is(move, "roll")) return roll(by - 1);
    if (rw_is(move, "hold")) return hold(by - 1);
    return "there is no such move";
}

static void report(void) {
    static const char *names[] = {"decide", "rolling", "won"};
    printf("ok state { phase %s active %d total %d points [",
           names[game.phase], game.active + 1, game.total);
    for (int each = 0; each < game.players; each++)
        printf(" [ %d %d ]", each + 1, game.points[each]);
    printf(" ] }\n");
}

int main(void) {
    while (rw_request()) {
        const char *why = NULL;
        if (rw_is(0, "hello")) {
            printf("ok engine Pig:in:C game pig can [ new apply state ]\n");
            continue;
        }
        if (rw_is(0, "new")) why = begin();
        else if (rw_is(0, "apply")) why = apply();
        else if (!rw_is(0, "state")) why = "this is no verb that is known here";
        if (why == NULL) report();
        else printf("no %s\n", why);
    }
    return 0;
}
