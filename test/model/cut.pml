/* cut.pml - the moment at which nothing is under way in a job, for spin
 *
 * Two processes with a link in each direction. In each there is a source, which stays at its save
 * points while a checkpoint is asked for, a worker, which runs what is queued, and a receiver, which
 * stays while it sleeps and goes on when a frame comes, whatever was asked for. What is run becomes
 * nothing, one batch more in the same process, one that waits there for its time (a Delay), or one or
 * two frames to the other one; HOPS says how often. Sources of the first SOURCES processes have batches. The coordinator (checkpoint/Coordinator.cpp, awaitStill) looks at one process after the
 * other, at one number after the other.
 *
 * Checked: where it finds that all is still no batch and no frame is anywhere, and no thread is at
 * one, until sources go on, but for batches that wait for their time. The environment variable MUTANT puts a mistake in; check.py has their
 * names.
 */
#ifndef ITEMS
#define ITEMS 1                /* batches of each source */
#endif
#ifndef SOURCES
#define SOURCES 1              /* processes whose source has any */
#endif
#ifndef HOPS
#define HOPS 2
#endif
#define PES 2
#define ROOM 6

byte mutant;                   /* set once, by init */
#define MUT(m) (mutant == m)

bool asked, over;
bool stays[PES], sleeps[PES];  /* the source; the receiver */
bool goes[PES];                /* the source is between two save points */
bool busy[PES];                /* the worker has a batch in its hands */
bool keeps[PES];               /* nothing leaves what waits (HeldPort::stays) */
bool leaves[PES];              /* a batch that has waited is run */
bool holds[PES];               /* the receiver has a frame in its hands */
byte queued[PES], ran[PES];    /* batches */
byte sent[PES], received[PES]; /* frames */
chan queue[PES] = [ROOM] of { byte };
chan waiting[PES] = [ROOM] of { byte };
chan link[PES] = [ROOM] of { byte }; /* to that process */

#define NOTHING (len(queue[0]) == 0 && len(queue[1]) == 0 && len(link[0]) == 0 && len(link[1]) == 0 && \
                 !busy[0] && !busy[1] && !holds[0] && !holds[1] && !goes[0] && !goes[1] && !leaves[0] && !leaves[1])

inline put(pe, hops) {
  queued[pe]++;
  queue[pe]!hops
}
inline delay(pe, hops) {
  queued[pe]++;
  waiting[pe]!hops
}
inline send(pe, hops) {
  sent[pe]++;
  link[1 - pe]!hops
}

proctype Source(byte me) {
  byte left = (me < SOURCES -> ITEMS : 0);
  do
  :: left > 0 ->
       stays[me] = false;
       do                      /* endStay(): it says that it goes on, and then looks */
       :: asked && !MUT(60) -> stays[me] = true;
endStay:  (!asked); stays[me] = false
       :: atomic { !asked || MUT(60) -> goes[me] = true; break }
       od;
       put(me, HOPS);
       left--;
       atomic { goes[me] = false; stays[me] = true }
  :: left == 0 -> break
  od
}

proctype Worker(byte me) {
  byte hops;
end:
  do
  :: atomic { queue[me]?hops -> busy[me] = true };
     if :: MUT(61) -> ran[me]++ :: else fi;
     if
     :: hops == 0
     :: hops > 0 -> put(me, hops - 1)
     :: hops > 0 -> delay(me, hops - 1)
     :: hops > 0 -> send(me, hops - 1)
     :: hops > 0 -> send(me, hops - 1); send(me, hops - 1)
     fi;
     atomic { busy[me] = false; hops = 0; if :: MUT(61) :: else -> ran[me]++ fi }
  od
}

/* The time of what waits has come. */
proctype Delay(byte me) {
  byte hops;
end:
  do
  :: len(waiting[me]) > 0 ->
       keeps[me] = false;
       if
       :: asked && !MUT(65) -> keeps[me] = true;
endDelay:   (!asked)
       :: else ->
            atomic { waiting[me]?hops -> leaves[me] = true };
            if
            :: hops == 0
            :: hops > 0 -> send(me, hops - 1)
            fi;
            atomic { leaves[me] = false; hops = 0; ran[me]++ };
            keeps[me] = true
       fi
  od
}

proctype Receiver(byte me) {
  byte hops;
end:
  do
  :: atomic { link[me]?hops -> holds[me] = true };
     if :: MUT(62) -> received[me]++; sleeps[me] = false
        :: else -> sleeps[me] = false; received[me]++
     fi;
     put(me, hops);
     atomic { holds[me] = false; hops = 0; sleeps[me] = true }
  od
}

/* LocalParticipant::look() of each process. */
inline look(still, r, s) {
  d_step { still = true; r = 0; s = 0; pe = 0 }
  do
  :: pe < PES ->
       r = r + received[pe];
       still = still && stays[pe];
       still = still && (sleeps[pe] || MUT(63));
       still = still && (keeps[pe] || MUT(66));
       had = ran[pe];
       had = had + len(waiting[pe]);
       still = still && queued[pe] == had;
       s = s + sent[pe];
       pe++
  :: else -> break
  od;
  atomic { had = 0; pe = 0 }
}

proctype Coordinator() {
  byte pe, had, r, s, r2, s2;
  bool still, still2;
  asked = true;
  do
  :: look(still, r, s);
     if :: still ->
             look(still2, r2, s2);
             if :: still2 && (r == s2 || MUT(64)) -> break
                :: else
             fi
        :: else
     fi
  od;
  assert(NOTHING);
  over = true;                 /* what is remembered is copied; then sources go on */
  assert(NOTHING)
}

init {
  atomic {
    c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
    stays[0] = true; stays[1] = true;
    sleeps[0] = true; sleeps[1] = true;
    keeps[0] = true; keeps[1] = true;
    run Source(0); run Source(1);
    run Worker(0); run Worker(1);
    run Delay(0); run Delay(1);
    run Receiver(0); run Receiver(1);
    run Coordinator()
  }
}
