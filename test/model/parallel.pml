/* parallel.pml - one port that several threads run, in order, for spin
 *
 * Threads are sources (the first SOURCES), then WORKERS; all sources push to the one
 * port, each item directly or queued, as it likes. A run may find at any point that the
 * runs keep too many bytes, so every bound on these is covered. What is put out is
 * checked where it goes downstream: order and number by source, one thread at a time.
 * TIMERS: sources only append. WIDTHS=1: a thread raises the width; 2: lowers it first.
 *
 * The environment variable MUTANT puts a mistake in; check.py has their names.
 */
#ifndef SOURCES
#define SOURCES 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef CAP
#define CAP 1
#endif
#ifndef WIDTH
#define WIDTH 2
#endif
#define WINDOW 2               /* slots: the most that the width can be */
#define WORDS 1
#define THREADS (SOURCES + WORKERS)
#define COUNT (SOURCES * ITEMS)

byte mutant;                   /* set once, by init */
#define MUT(m) (mutant == m)

byte owner[WORDS];
bool Q[WORDS], D[WORDS];
byte inside[WORDS];
bool entered[WORDS];
bool armed[THREADS];
byte at[THREADS];
typedef Ring { byte head, tail; byte slot[COUNT] }   /* source * 16 + number + 1; 0: not published */
Ring ring[1];
chan entries = [WORDS + 1] of { byte };
byte idle[WORKERS];
bool raised[WORKERS];
bool ended;
/* the window: slots are reused */
byte taken, released, width = WIDTH;
byte kept[WINDOW], finished[WINDOW];                 /* what a run put out; its ticket + 1 */
byte turn; bool TD;                                  /* owner of the turn, its D */
bool waiting[THREADS];                               /* announced for the turn, not woken */
byte received[SOURCES];
bool pushing;
byte sunk;

#define SIZE(p) (ring[p].tail - ring[p].head)
#define PUB(p) (ring[p].head < ring[p].tail && ring[p].slot[ring[p].head] != 0)
#define OPEN (taken - released < width || MUT(24))

inline look(w) {               /* more = something to run */
  more = PUB(0);
  if :: more -> more = OPEN :: else fi
}
#include "word.pml"

/* Only the owner pops and takes tickets: with what it saw that is one step. */
inline pop(v) { v = ring[0].slot[ring[0].head]; ring[0].slot[ring[0].head] = 0; ring[0].head++ }

/* --- downstream ------------------------------------------------------------ */

inline emit(v) {
  assert(!pushing); pushing = 1;
  atomic {
    assert((v - 1) % 16 == received[(v - 1) / 16]); received[(v - 1) / 16]++;
    v = 0; sunk++; pushing = 0
  }
  if :: sunk == COUNT && !ended -> finish() :: else fi
}

/* --- the turn -------------------------------------------------------------- */

inline winTurn(got) {
  atomic {
    if :: turn == 0 -> turn = me + 1; got = 1
       :: else -> TD = TD || !MUT(20); got = 0
    fi
  }
}
inline wakeTurns() {           /* the look for those who wait is the one step */
  if :: MUT(21) -> skip
     :: else -> atomic { i = 0; do :: i < THREADS -> waiting[i] = 0; i++ :: else -> i = 0; break od }
  fi
}
/* Room for a ticket, maybe. */
inline tell() {
  if :: SIZE(0) > 0 && !MUT(22) -> notify(0, 0) :: else fi;
  wakeSpace(0)
}
inline awaitTurn(t) {
  do
  :: if :: released == t -> winTurn(mine) :: else fi;
     if :: mine -> break :: else fi;
     waiting[me] = 1;
     if :: MUT(23) -> skip
        :: else -> if :: turn == 0 -> if :: released == t -> waiting[me] = 0 :: else fi :: else fi
     fi;
     !waiting[me]
  od
}

/* --- tickets --------------------------------------------------------------- */

/* With the word, which is let go. ran: a batch was run. */
inline runOne() {
  ran = 0;
  if :: PUB(0) ->
        if :: OPEN ->
              atomic { assert(taken - released < WINDOW); t = taken; taken++; ran = 1; if :: MUT(26) -> skip :: else -> pop(v) fi }
           :: else
        fi
     :: else
  fi;
  more = 0;
  if :: ran -> look(0) :: else fi;
  release(0);
  if :: ran ->
        if :: MUT(26) -> pop(v) :: else fi;
        runTicket()
     :: else
  fi
}

/* Keeps what it puts out, or finds its turn come and writes through, or keeps too
   much and waits for its turn. */
inline runTicket() {
  mine = 0;
  if :: skip
     :: released == t -> winTurn(mine)
     :: awaitTurn(t)
  fi;
  if :: mine -> emit(v) :: else fi;
  atomic { assert(finished[t % WINDOW] <= t); kept[t % WINDOW] = v; finished[t % WINDOW] = t + 1; v = 0; t = 0 }
  if :: mine -> skip :: else -> winTurn(mine) fi;
  if :: mine -> mine = 0; drain() :: else fi
}

inline drain() {
  do
  :: do
     :: finished[released % WINDOW] == released + 1 ->
        d = kept[released % WINDOW];
        if :: MUT(25) -> released++ :: else fi;
        if :: d != 0 -> emit(d) :: else fi;
        if :: MUT(25) -> skip :: else -> released++ fi;
        tell();
        if :: MUT(27) -> break :: else fi
     :: else -> break
     od;
     atomic {
       if :: TD && !MUT(28) -> TD = 0
          :: else -> TD = 0; turn = 0; t = 1         /* let go */
       fi
     }
     if :: t -> t = 0; break :: else fi
  od;
  wakeTurns()
}

inline shares() {              /* more = batches are run by ticket */
  more = width > 1;
  if :: !more -> more = taken != released :: else fi
}

/* --- pushing --------------------------------------------------------------- */

inline push(val) {
  done = 0; won = 0;
#ifndef TIMERS
  if :: win(0, won) :: skip fi;
#endif
  if :: won ->
        won = 0;
        if :: taken != released && !MUT(29) -> more = 0
           :: else ->
              end = ring[0].tail;
              do :: if :: atomic { !done && ring[0].head < end && PUB(0) -> pop(v) } emit(v)
                       :: atomic { !done && ring[0].head == end -> done = 1; v = val } emit(v)
                       :: else -> break
                    fi
              od;
              end = 0; more = 0
        fi;
        release(0)
     :: else
  fi;
  if :: !done ->
#ifdef TIMERS
        atomic { slot = ring[0].tail; ring[0].tail++ }
#else
        do :: atomic { SIZE(0) < CAP -> slot = ring[0].tail; ring[0].tail++ } break
           :: SIZE(0) >= CAP -> makeSpace()
        od;
#endif
        ring[0].slot[slot] = val; slot = 0;
        notify(0, 0)
     :: else
  fi;
  done = 0; val = 0
}

inline makeSpace() {
  win(0, won);
  if :: won ->
        won = 0; shares();
        if :: more -> more = 0; runOne(); wait = !ran; ran = 0
           :: else ->
              do :: atomic { n < CAP && PUB(0) -> n++; pop(v) } emit(v)
                 :: else -> break
              od; n = 0; look(0); release(0)
        fi
     :: else -> wait = 1
  fi;
  if :: wait ->
        atomic { wait = 0; at[me] = 0; armed[me] = 1 }
        if :: SIZE(0) >= CAP ->
              if :: owner[0] != 0 -> skip
                 :: else -> if :: taken - released >= width -> skip :: else -> armed[me] = 0 fi
              fi
           :: else -> armed[me] = 0
        fi;
        !armed[me]
     :: else
  fi
}

#define LOCALS byte i, v, t, d, n, end, slot; bool add, more, won, done, mine, ran, wait

proctype source(byte me) {
  byte k, val;
  LOCALS;
  do
  :: k < ITEMS -> val = me * 16 + k + 1; k++; push(val)
  :: else -> break
  od
}

proctype worker(byte me) {
  byte w;
  LOCALS;
  do
  :: ended -> break
  :: else ->
     if
     :: atomic { len(entries) > 0 -> entries?w; entered[w] = false }
        take(0, won);
        if :: won ->
              won = 0; shares();
              if :: more -> more = 0; runOne(); ran = 0
                 :: else ->    /* a quantum of one */
                    if :: atomic { PUB(0) -> pop(v) } emit(v) :: else fi;
                    look(0); release(0)
              fi
           :: else
        fi
     :: else ->
        idle[me - SOURCES] = 1;
        if :: len(entries) > 0 || ended -> idle[me - SOURCES] = 0
           :: else -> atomic { if :: idle[me - SOURCES] == 1 -> idle[me - SOURCES] = 2 :: else fi } idle[me - SOURCES] == 0
        fi
     fi
  od
}

#ifdef WIDTHS
proctype widener(byte me) {
  byte i;
  bool add;
#if WIDTHS == 2
  width = 1;
#endif
  width = 2; /* who raises tells */
  tell()
}
#endif

init {
  byte i;
  c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
  atomic {
    do :: i < SOURCES -> run source(i); i++ :: else -> break od;
    do :: i < THREADS -> run worker(i); i++ :: else -> i = 0; break od;
#ifdef WIDTHS
    run widener(THREADS);
#endif
  }
}
