/* The model of README.md in Promela. Leaves out scores; it simulates, or searches what fits in memory.
 *   random simulation:  spin -DN=2 -DMAXSTEPS=200000 -DSIM -n1 -b qwixx.pml
 *   compiled search  :  spin -DN=2 -DNEED=4 -DCHECK -a qwixx.pml && cc -O2 -o pan pan.c && ./pan ...
 * ROWS=2 claims that no third row closes, which a search refutes.
 * SIM restarts the game when it is over and stops after MAXSTEPS steps. */
#ifndef N
#define N 2
#endif
#ifndef NEED
#define NEED 5
#endif
#ifndef ROWS
#define ROWS 3
#endif
#ifndef MAXSTEPS
#define MAXSTEPS 100000
#endif

#define ROLL 0
#define WHITE 1
#define COLOR 2
#define K(p,r) ((p)*4+(r))
/* position of value v in row r */
#define POS(r,v) (((r)<2) -> ((v)-2) : (12-(v)))
#define CAN(p,r,v) (!closed[r] && POS(r,v) > last[K(p,r)] && (POS(r,v) != 10 || cnt[K(p,r)] >= NEED))

short crossed[N*4];      /* bit set of positions 0..10 */
short last[N*4] = -1;
byte cnt[N*4];           /* number of bits in crossed */
bool lock[N*4];
byte mis[N];
bool closed[4];
byte ncl, act, who, phase, w1, w2, d[4];
bool used, over;
#ifdef SIM
int steps;
#endif

inline mark(p,r,v) {
	crossed[K(p,r)] = crossed[K(p,r)] | (1 << POS(r,v));
	last[K(p,r)] = POS(r,v);
	cnt[K(p,r)]++;
	if :: POS(r,v) == 10 -> lock[K(p,r)] = 1 :: else fi
}
inline die(x) { if :: x=1 :: x=2 :: x=3 :: x=4 :: x=5 :: x=6 fi }

inline check() {
	for (i : 0 .. N*4-1) {
		/* popcount of the real set */
		c = 0; m = crossed[i];
		do :: m > 0 -> c = c + (m & 1); m = m >> 1 :: else -> break od;
		assert(!lock[i] || c >= 6);
		assert((crossed[i] >> (last[i]+1)) == 0 && (last[i] < 0 || ((crossed[i] >> last[i]) & 1)));
		m = 0; c = 0;
	}
	c = 0;
	for (i : 0 .. N-1) { if :: mis[i] == 4 -> c = 1 :: else fi }
	assert(ncl <= ROWS);
	assert(over == (c == 1 || ncl >= 2));
	c = 0; i = 0;
}

inline closeRow(r) { if :: !closed[r] -> closed[r] = 1; ncl++ :: else fi }

active proctype game() {
	byte i, c, q; short m; byte j;
	do
	:: over ->
#ifdef SIM
		if :: steps >= MAXSTEPS -> printf("steps %d\n", steps); break :: else fi;
		d_step { /* restart */
			for (i : 0 .. N*4-1) { crossed[i]=0; last[i]=-1; cnt[i]=0; lock[i]=0 }
			for (i : 0 .. N-1) { mis[i]=0 }
			for (i : 0 .. 3) { closed[i]=0 }
			ncl=0; act=0; over=0; phase=ROLL; i=0
		}
#else
		break
#endif
	:: !over && phase == ROLL ->
		atomic {
			die(w1); die(w2); die(d[0]); die(d[1]); die(d[2]); die(d[3]);
			who = 0; used = 0; phase = WHITE;
#ifdef SIM
			steps++;
#endif
#ifdef CHECK
			d_step { check() }
#endif
		}
	:: !over && phase == WHITE ->
		atomic {
			if
			:: j = 4                                   /* pass */
			:: CAN(who,0,w1+w2) -> j = 0
			:: CAN(who,1,w1+w2) -> j = 1
			:: CAN(who,2,w1+w2) -> j = 2
			:: CAN(who,3,w1+w2) -> j = 3
			fi;
			d_step {
			if :: j < 4 -> mark(who,j,w1+w2); if :: who == act -> used = 1 :: else fi :: else fi;
			j = 0;
			if
			:: who < N-1 -> who++
			:: else ->
				who = 0;
				for (i : 0 .. N*4-1) { if :: lock[i] -> closeRow(i%4) :: else fi }
				i = 0;
				phase = COLOR; over = (ncl >= 2)
			fi
			};
#ifdef SIM
			steps++;
#endif
#ifdef CHECK
			d_step { check() }
#endif
		}
	:: !over && phase == COLOR ->
		atomic {
			if
			:: j = 8                                   /* pass */
			:: CAN(act,0,w1+d[0]) -> j = 0
			:: CAN(act,1,w1+d[1]) -> j = 1
			:: CAN(act,2,w1+d[2]) -> j = 2
			:: CAN(act,3,w1+d[3]) -> j = 3
			:: CAN(act,0,w2+d[0]) -> j = 4
			:: CAN(act,1,w2+d[1]) -> j = 5
			:: CAN(act,2,w2+d[2]) -> j = 6
			:: CAN(act,3,w2+d[3]) -> j = 7
			fi;
			d_step {
			if
			:: j < 8 ->
				q = ((j < 4) -> w1 : w2) + d[j%4];
				mark(act,(j%4),q);
				if :: lock[K(act,(j%4))] -> closeRow(j%4) :: else fi
			:: else -> if :: !used -> mis[act]++ :: else fi
			fi;
			over = (mis[act] == 4 || ncl >= 2);
			j = 0; q = 0; w1 = 0; w2 = 0; d[0] = 0; d[1] = 0; d[2] = 0; d[3] = 0;
			act = (act+1) % N; phase = ROLL
			};
#ifdef SIM
			steps++;
#endif
#ifdef CHECK
			d_step { check() }
#endif
		}
	od
}
