/* port.pml - the port protocol and the workers, for spin
 *
 * Threads are sources (the first SOURCES), then WORKERS. What the code does in
 * one atomic access is one step here. A push chooses freely between direct and
 * queued, and an only producer whether it waits for a call: so every way of switching
 * modes is covered. SHAPE says who pushes where:
 *   1  sources to ports 0 and 1, both behind word 0 (ONE_PORT: all to port 0)
 *   2  source 0 to port 1 (word 1), whose handler pushes to port 0 (word 0); the
 *      other sources to port 0
 *   3  as 2, but everything goes round once at port 1 before it goes on
 *   4  as 1, and a thread that moves the level; sources only append (timers)
 *
 * Checked: order and number per edge, one thread behind a word, at most one
 * entry a word; that all threads come to their end means that nothing is lost
 * and no wake-up is. The environment
 * variable MUTANT puts a mistake in; check.py has their names.
 */
#ifndef SHAPE
#define SHAPE 1
#endif
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
#if SHAPE == 1 || SHAPE == 4
#define WORDS 1
#else
#define WORDS 2
#endif
#define THREADS (SOURCES + WORKERS)
#define PORTS 2
#define EDGES (SOURCES + 2)
#define ROUND SOURCES          /* the edge that goes round */
#define ON (SOURCES + 1)       /* the edge from port 1 to port 0 */
#define SLOTS (2 * SOURCES * ITEMS)

byte mutant;                   /* set once, by init */
#define MUT(m) (mutant == m)

/* words: owner is a thread + 1, or 0 */
byte owner[WORDS];
bool Q[WORDS], D[WORDS];
byte inside[WORDS];            /* threads behind the word */
bool entered[WORDS];           /* there is an entry */
bool armed[THREADS];           /* announced for space, not woken */
byte at[THREADS];              /* the word that it is announced at */
/* rings: numbers are not reused, the code's slots are */
typedef Ring { byte head, tail; byte slot[SLOTS] }   /* edge * 16 + number + 1; 0: not published */
Ring ring[PORTS];
chan entries = [WORDS + 1] of { byte };
/* idle workers: 1 announced, 2 asleep */
byte idle[WORKERS];
bool raised[WORKERS];          /* announced for the level */
byte level = WORKERS;
bool ended;
byte clear[PORTS];             /* tail + 1 when all had run: the one producer's */
byte received[EDGES], sent[EDGES];
byte sunk;

#if SHAPE == 1 || SHAPE == 4
#define WORD(p) 0
#ifdef ONE_PORT
#define PORT_OF(s) 0
#else
#define PORT_OF(s) ((s) % 2)
#endif
#else
#define WORD(p) (p)
#define PORT_OF(s) ((s) == 0)
#endif
#if SHAPE == 1 || SHAPE == 4
#define LEAF(v) 1              /* nothing after this one */
#else
#define LEAF(v) ((v - 1) / 16 != 0 && (v - 1) / 16 != ROUND)
#endif
#if SHAPE == 2                 /* ports with one producer */
#define SOLE(p) (p == 1 || SOURCES == 1)
#else
#define SOLE(p) 0
#endif
#define LAST 255               /* the last of all: its handler ends the program */
#define SIZE(p) (ring[p].tail - ring[p].head)
#define PUB(p) (ring[p].head < ring[p].tail && ring[p].slot[ring[p].head] != 0)

inline look(w) {               /* more = pub of any port */
#if SHAPE == 1 || SHAPE == 4
  more = PUB(0);
  if :: !more && !MUT(11) -> more = PUB(1) :: else fi
#else
  more = PUB(w)
#endif
}
#include "word.pml"

/* --- the ring ------------------------------------------------------------ */

/* Only the owner pops: that it saw pub and that it pops can be one step. */
inline pop(p, v) {
  v = ring[p].slot[ring[p].head]; ring[p].slot[ring[p].head] = 0; ring[p].head++; arrived(v)
}
inline append(p, s, v) {       /* s was reserved */
  ring[p].slot[s] = v; s = 0;
  notify(WORD(p), p)
}
inline arrived(v) {            /* at its port, behind its word */
  assert((v - 1) % 16 == received[(v - 1) / 16]); received[(v - 1) / 16]++;
  sunk = sunk + LEAF(v);
  if :: sunk == SOURCES * ITEMS && !ended && LEAF(v) -> v = LAST :: else fi
}

/* --- push, run: the leaf is port 0 (and 1 in shapes 1, 4) ------------------ */

inline runLeaf(v) {
  if :: v == LAST -> v = 0; finish() :: else -> v = 0 fi
}

/* X: suffix of variables; RUN: what a handler does; ROUNDS: 1 = an edge of a loop */
#define PUSH(push, X, RUN) \
inline push(p, val) { \
  done##X = 0; won##X = 0; \
  do :: done##X -> break \
     :: else -> \
  if :: SHAPE != 4 -> win(WORD(p), won##X) :: skip \
     :: SOLE(p) && (!MUT(31) || owner[WORD(p)] == 0) -> \
        if :: atomic { clear[p] == ring[p].tail + 1 -> done##X = 1; v##X = val; arrived(v##X) } RUN(v##X) \
           :: clear[p] != ring[p].tail + 1 && SIZE(p) == 0 -> \
              if :: atomic { owner[WORD(p)] == 0 || MUT(30) || MUT(31) -> clear[p] = ring[p].tail + 1; done##X = 1; v##X = val; arrived(v##X) } RUN(v##X) \
                 :: else \
              fi \
           :: else \
        fi \
  fi; \
  if :: won##X -> \
        end##X = ring[p].tail; \
        do :: if :: atomic { !done##X && ring[p].head < end##X && PUB(p) -> pop(p, v##X) } \
                 :: atomic { !done##X && (ring[p].head == end##X || MUT(10) && !PUB(p)) -> done##X = 1; v##X = val; arrived(v##X) } \
                 :: else -> break \
              fi; RUN(v##X) \
        od; \
        end##X = 0; more = 0; release(WORD(p)) \
     :: else fi; won##X = 0; \
  if :: done##X \
     :: atomic { !done##X && (SIZE(p) < CAP || SHAPE == 4) -> slot##X = ring[p].tail; ring[p].tail++ } \
        append(p, slot##X, val); done##X = 1 \
     :: !done##X && (SIZE(p) >= CAP || SOLE(p)) && SHAPE != 4 -> makeSpace##X(p) \
  fi \
  od; \
  done##X = 0; val = 0 \
}

#define MAKE_SPACE(makeSpace, X, RUN) \
inline makeSpace(p) { \
  assert(owner[WORD(p)] != me + 1); \
  win(WORD(p), won##X); \
  if :: won##X -> \
        won##X = 0; n##X = 0; \
        do :: atomic { n##X < CAP && PUB(p) -> n##X++; pop(p, v##X) } RUN(v##X) \
           :: else -> break \
        od; n##X = 0; look(WORD(p)); release(WORD(p)) \
     :: else -> \
        atomic { at[me] = WORD(p); armed[me] = 1 } \
        if :: MUT(12) -> skip \
           :: else -> \
              if :: SIZE(p) >= CAP || SOLE(p) -> \
                    if :: owner[WORD(p)] != 0 || MUT(14) || MUT(32) && SIZE(p) == 0 -> skip :: else -> armed[me] = 0 fi \
                 :: SIZE(p) < CAP -> armed[me] = 0 fi \
        fi; \
        atomic { !armed[me] -> at[me] = 0 } \
  fi \
}

MAKE_SPACE(makeSpace0, 0, runLeaf)
PUSH(pushLeaf, 0, runLeaf)

#if SHAPE == 2 || SHAPE == 3
/* The handler of port 1. In shape 3 what comes from outside goes round. */
inline runMiddle(v) {
  atomic {
#if SHAPE == 3
    if :: (v - 1) / 16 == 0 -> round = 1; w1 = ROUND * 16 + sent[ROUND] + 1; sent[ROUND]++
       :: else -> round = 0; w1 = ON * 16 + sent[ON] + 1; sent[ON]++
    fi;
#else
    round = 0; w1 = ON * 16 + sent[ON] + 1; sent[ON]++;
#endif
    v = 0
  }
  if :: round ->
        do :: atomic { SIZE(1) < CAP || !MUT(18) -> slot1 = ring[1].tail; ring[1].tail++ } break  /* never waits */
        od;
        round = 0; append(1, slot1, w1); w1 = 0
     :: else -> pushLeaf(0, w1)
  fi
}
MAKE_SPACE(makeSpace1, 1, runMiddle)
PUSH(pushMiddle, 1, runMiddle)
#endif

#define LOCALS \
  byte i; bool add, more, won0, done0; byte end0, slot0, v0, n0; \
  bool won1, done1, round; byte end1, slot1, v1, n1, w1

/* --- threads ------------------------------------------------------------- */

proctype source(byte me) {
  byte k, val;
  LOCALS;
  do
  :: k < ITEMS -> val = me * 16 + k + 1; k++;
#if SHAPE == 2 || SHAPE == 3
     if :: me == 0 -> pushMiddle(1, val)
        :: else -> pushLeaf(0, val)
     fi
#else
     pushLeaf(PORT_OF(me), val)
#endif
  :: else -> break
  od
}

inline runEntry(w) {
  take(w, won0);
  if :: won0 -> won0 = 0;
        /* a quantum: one batch a port */
#if SHAPE == 1 || SHAPE == 4
        if :: atomic { PUB(0) -> pop(0, v0) } runLeaf(v0) :: else fi;
        if :: atomic { PUB(1) -> pop(1, v0) } runLeaf(v0) :: else fi;
#else
        if :: atomic { w == 0 && PUB(0) -> pop(0, v0) } runLeaf(v0)
           :: atomic { w == 1 && PUB(1) -> pop(1, v1) } runMiddle(v1)
           :: else
        fi;
#endif
        look(w); release(w)
     :: else
  fi
}
#define MINE (me - SOURCES)
#define ABOVE (MINE >= level)

proctype worker(byte me) {
  byte w;
  LOCALS;
  do
  :: ended -> break
  :: else ->
     if
     :: ABOVE ->
        if :: len(entries) > 0 && !MUT(19) -> wakeIdle() :: else fi;
        raised[MINE] = 1;
        if :: ABOVE && !ended -> !raised[MINE] :: else -> raised[MINE] = 0 fi
     :: else ->
        if
        :: atomic { len(entries) > 0 -> entries?w; entered[w] = false } runEntry(w); w = 0
        :: else ->
           idle[MINE] = 1;
           if :: MUT(15) -> atomic { if :: idle[MINE] == 1 -> idle[MINE] = 2 :: else fi } idle[MINE] == 0
              :: else ->
              if :: len(entries) > 0 || ended || ABOVE -> idle[MINE] = 0
                 :: else -> atomic { if :: idle[MINE] == 1 -> idle[MINE] = 2 :: else fi } idle[MINE] == 0
              fi
           fi
        fi
     fi
  od
}

#if SHAPE == 4
proctype switcher() {
  byte i;
  level = 1; /* down, up, down: who raises wakes */
  level = WORKERS;
  atomic { i = 0; do :: i < WORKERS -> raised[i] = 0; i++ :: else -> i = 0; break od }
  level = 1
}
#endif

init {
  byte i;
  c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
  atomic {
    do :: i < SOURCES -> run source(i); i++ :: else -> break od;
    do :: i < THREADS -> run worker(i); i++ :: else -> i = 0; break od;
#if SHAPE == 4
    run switcher();
#endif
  }
}
