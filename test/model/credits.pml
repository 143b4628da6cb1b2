/* credits.pml - links between processes: credits, ways to wait, ends, for spin
 *
 * A worker of UCX is two counters: what has come (raw), and what progress() has made of it
 * (done). A thread that blocks arms its workers first; what comes then raises an event. The
 * end of a control socket, and a byte on it, can be seen for as long as nobody has read them.
 * SHAPE says who sends what:
 *   1  a source sends by link 0 to a relay in another process, which sends by link 1 to a sink
 *      in the first one: two links in opposite directions, both rings may be full
 *   2  two sources send by links 0 and 1 to one receiver
 * Each thread polls, or blocks (interrupt), or does either each time (auto and sleep: a sleep ends
 * by itself). STOP=1: a stop of the receivers may come at any time, and sources fall silent.
 * STOP=2: a stop of the senders, and the last receiver falls silent. DEATH: the source of link 0 may
 * die at any time; then what it had sent is taken. RDEATH: the last receiver may die at any time.
 *
 * Checked: no frame without a posted buffer; no credit that is no buffer; frames are all taken
 * before an end is told; all threads come to their end, so that no wake-up is lost and nobody waits
 * for ever. The environment variable MUTANT puts a mistake in; check.py has their names.
 */
#ifndef SHAPE
#define SHAPE 1
#endif
#ifndef FRAMES
#define FRAMES 3
#endif
#ifndef RING
#define RING 2
#endif
#ifndef GRANT
#define GRANT 1
#endif
#define LINKS 2

byte mutant;                   /* set once, by init */
#define MUT(m) (mutant == m)

/* the receiver's end of a link */
byte posted[LINKS];            /* buffers that no frame is in */
byte raw[LINKS], done[LINKS];  /* frames that have come; that progress() has seen */
byte taken[LINKS], sent[LINKS];
byte unsaid[LINKS];            /* buffers that the sender was not told of */
bool told[LINKS];              /* it was told of some */
bool unsent[LINKS];            /* a credit found no room */
byte endRaw[LINKS], endDone[LINKS]; /* number of frames + 1 */
bool rArmed[LINKS], rEvent[LINKS];
bool attached[LINKS], bell[LINKS];
bool over[LINKS];              /* the receiver has told the end of it */
/* the sender's end */
byte left[LINKS];              /* credits */
chan wire[LINKS] = [RING + 2] of { byte };  /* credits that have come */
byte cDone[LINKS];             /* that progress() has seen */
bool sArmed[LINKS], sEvent[LINKS];
bool word[LINKS];              /* the byte on the control socket: all was taken */
bool sGone[LINKS], rGone[LINKS];  /* the other end's process has gone */
bool stop;
#if STOP == 2
#define SSTOP stop
#define RSTOP 0
#else
#define SSTOP 0
#define RSTOP stop
#endif

#define COME(l) (raw[l] > 0 || endRaw[l] > 0)

inline arriveAtReceiver(l) { if :: rArmed[l] -> rArmed[l] = 0; rEvent[l] = 1 :: else fi }
inline arriveAtSender(l) { if :: sArmed[l] -> sArmed[l] = 0; sEvent[l] = 1 :: else fi }

/* --- the sender's end ------------------------------------------------------ */

/* Waits until COND. result: 0 so it is, 1 stopped, 2 the receiver has gone. */
inline await(l, COND) {
  do
  :: atomic { cDone[l] > 0 -> left[l] = left[l] + cDone[l]; cDone[l] = 0; assert(left[l] <= RING) }
  :: atomic { cDone[l] == 0 && (COND) -> result = 0; break }
  :: atomic { cDone[l] == 0 && !(COND) -> moved = 0 };
     if :: atomic { nempty(wire[l]) -> wire[l]?x; cDone[l] = cDone[l] + x; x = 0; moved = !MUT(33) }
        :: empty(wire[l])
     fi;                       /* that was progress() */
     if
     :: moved
     :: !moved && way != 1 ->  /* polls: looks until there is something */
        (nempty(wire[l]) || cDone[l] > 0 || SSTOP || word[l] || rGone[l])
     :: !moved && way != 0 ->  /* blocks */
        if :: atomic { empty(wire[l]) || MUT(34) -> sArmed[l] = 1; sEvent[l] = 0 };
              if :: sEvent[l]
                 :: SSTOP && !MUT(35)
                 :: (word[l] || rGone[l]) && !MUT(36)
              fi;
              atomic { sArmed[l] = 0; sEvent[l] = 0 }
           :: atomic { nempty(wire[l]) && !MUT(34) }  /* it cannot be armed: looks again */
        fi
     fi;
     if :: SSTOP -> result = 1; break
        :: atomic { !(SSTOP) && rGone[l] && !(COND) && empty(wire[l]) && cDone[l] == 0 -> result = 2; break }
        :: else
     fi
  od
}
inline transmit(l) {           /* left[l] > 0 */
  atomic {
    if :: !rGone[l] ->
          assert(posted[l] > 0); posted[l]--; raw[l]++; arriveAtReceiver(l)
       :: else
    fi;
    sent[l]++;
    if :: !MUT(37) -> left[l]-- :: else fi
  }
}
inline finish(l) {
  atomic { endRaw[l] = sent[l] + 1; if :: !MUT(38) -> arriveAtReceiver(l) :: else fi };
  await(l, word[l])
}

/* --- the receiver's end ---------------------------------------------------- */

inline grant(l) {
  if :: attached[l] && !over[l] &&
        (unsaid[l] >= GRANT && told[l] || unsaid[l] >= RING && !MUT(39)
         || unsaid[l] > RING) ->
        if :: atomic { skip -> wire[l]!(unsaid[l] + MUT(40)); unsaid[l] = 0; told[l] = 1; unsent[l] = 0; arriveAtSender(l) }
           :: atomic { way == 2 || MUT(41) -> unsent[l] = !MUT(41);      /* no room now */
                       if :: MUT(41) -> unsaid[l] = 0; told[l] = 1 :: else fi }
        fi
     :: else
  fi
}
inline post(l) {
  if :: MUT(42) -> unsaid[l]++; grant(l); posted[l]++
     :: else -> atomic { posted[l]++; unsaid[l]++ }; grant(l)
  fi
}
inline told_end(l) {
  atomic {
    assert(sGone[l] || taken[l] == sent[l]);
    word[l] = 1; over[l] = 1; got = LINKS + 3
  }
}
#define CONTROL(l) (!over[l] && sGone[l])
#define SEEN(l) (!over[l] && (COME(l) || done[l] > 0 || endDone[l] > 0 && taken[l] == endDone[l] - 1) || CONTROL(l) || bell[l])

inline arm(l) {
  atomic {
    if :: !over[l] && COME(l) && !MUT(50) -> busy = 1
       :: else -> rArmed[l] = 1; rEvent[l] = 0
    fi
  }
}
/* The next frame of one of the links FROM .. TO. got: its link;
 * LINKS: all are over; LINKS + 1: stopped. */
inline next(FROM, TO) {
  do
  :: l = FROM; got = LINKS + 2; allOver = 1;
     do :: l <= TO && got == LINKS + 2 ->
           if :: !over[l] ->
                 allOver = 0; grant(l);
                 if :: atomic { done[l] > 0 -> done[l]--; taken[l]++; got = l }
                    :: atomic { done[l] == 0 && endDone[l] > 0 && (taken[l] == endDone[l] - 1) -> skip }; told_end(l)
                    :: atomic { done[l] == 0 && endDone[l] == 0 && sGone[l] && (!COME(l) || MUT(43)) ->
                                over[l] = 1; got = LINKS + 3; assert(taken[l] == sent[l]) }
                    :: else
                 fi
              :: else
           fi;
           l++
        :: else -> break
     od;
     l = 0;
     if :: got < LINKS -> break
        :: got == LINKS + 2 && allOver -> got = LINKS; break
        :: got == LINKS + 3    /* an end was told: called again */
        :: got == LINKS + 2 && !allOver ->
     /* progress */
     moved = 0; l = FROM;
     do :: l <= TO ->
           atomic {
             if :: !over[l] && COME(l) -> done[l] = done[l] + raw[l]; raw[l] = 0; moved = 1;
                   if :: endRaw[l] > 0 -> endDone[l] = endRaw[l]; endRaw[l] = 0 :: else fi
                :: else
             fi;
             l++ }
        :: else -> break
     od;
     l = 0;
     if :: moved && !MUT(44) -> skip
        :: else ->
           if
           :: way != 1 ->      /* polls, or sleeps for a time */
              (SEEN(FROM) || SEEN(TO) || RSTOP || unsent[FROM] || unsent[TO])
           :: way != 0 && (!(unsent[FROM] || unsent[TO]) || MUT(45)) ->  /* blocks */
              arm(FROM);
              if :: FROM != TO && !busy && !MUT(46) -> arm(TO) :: else fi;
              if :: busy       /* it cannot be armed: looks again */
                 :: !busy && (rEvent[FROM] || rEvent[TO])
                 :: !busy && RSTOP && !MUT(47)
                 :: !busy && (CONTROL(FROM) || CONTROL(TO)) && !MUT(48)
                 :: !busy && (bell[FROM] || bell[TO]) && !MUT(49)
              fi;
              atomic { busy = 0; rArmed[FROM] = 0; rArmed[TO] = 0; rEvent[FROM] = 0; rEvent[TO] = 0 }
           fi;
           atomic {
             if :: bell[FROM] -> bell[FROM] = 0; attached[FROM] = 1 :: else fi;
             if :: bell[TO] -> bell[TO] = 0; attached[TO] = 1 :: else fi
           };
           if :: RSTOP -> got = LINKS + 1; break :: else fi
           fi
     fi
  od
}
/* --- threads --------------------------------------------------------------- */

proctype source(byte me; byte way) {
  byte result, x;
  bool moved;
  do
  :: sent[me] < FRAMES ->
     await(me, left[me] > 0);
     if :: result -> break
        :: else -> transmit(me)
     fi
#ifdef DEATH
  :: me == 0 -> sGone[me] = 1; goto end
#endif
#if STOP == 1
  :: sent[me] == FRAMES -> goto end_silent
#else
  :: sent[me] == FRAMES -> finish(me); break
#endif
  od;
end:
  sGone[me] = 1;
#if STOP == 1
  if :: 1 :: 0 ->
end_silent: false
  fi
#endif
}

/* Takes the frames of links `from` to `to`. A relay sends them on by link 1. */
proctype receiver(byte from; byte to; byte way; bool relay) {
  byte l, got, result, x;
  bool moved, allOver;
  bool busy;
  atomic { posted[from] = RING; unsaid[from] = RING; posted[to] = RING; unsaid[to] = RING };
  do
  :: next(from, to);
     if :: got < LINKS ->
           if :: relay -> await(1, left[1] > 0);
                 if :: result -> break :: else -> transmit(1) fi
              :: else
           fi;
           post(got)
        :: else -> break
     fi
#if STOP == 2
  :: !relay && taken[from] == RING -> goto end_silent
#endif
#ifdef RDEATH
  :: !relay -> break
#endif
  od;
  /* the process ends: its sockets are closed */
  atomic { l = from; do :: l <= to -> rGone[l] = 1; over[l] = 1; l++ :: else -> l = 0; break od };
  if :: relay && got == LINKS && !result -> finish(1) :: else fi;
  if :: relay -> sGone[1] = 1 :: else fi;
#if STOP == 2
  if :: 1 :: 0 ->
end_silent: false
  fi
#endif
}

/* Senders come when they like. */
proctype acceptor() {
  byte l;
  do :: l < LINKS -> atomic { if :: over[l] :: else -> bell[l] = 1 fi; l++ } :: else -> break od
}
#ifdef STOP
proctype stopper() { stop = 1 }
#endif

init {
  byte a, b;
  c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
  /* polls, blocks, or either */
  if :: a = 0 :: a = 1 :: a = 2 fi;
  if :: b = 0 :: b = 1 :: b = 2 fi;
  atomic {
    run source(0, a);
#if SHAPE == 1
    run receiver(0, 0, b, 1); run receiver(1, 1, a, 0);
#else
    run source(1, a); run receiver(0, 1, b, 0);
#endif
    run acceptor();
#ifdef STOP
    run stopper()
#endif
  }
}
