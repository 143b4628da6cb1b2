/* ring.pml - a ring in memory that two processes share, for spin
 *
 * As runtime/remote/carrier/Ring.cpp: a writer and a reader, each of which sleeps when it has nothing
 * to do. An end that is going to sleep forgets its bell, sets its flag, then looks once more; who
 * has written, or told of room, looks at the flag afterwards, takes it back and rings. The reader
 * tells what it has taken when nothing more is there, or TELL bytes are untold. The writer sleeps
 * until half of the ring is free. A step here is one access to what both share, as the fences make it.
 *
 * Checked: never more than CAP bytes in the ring; all bytes come; neither end sleeps for ever.
 * The environment variable MUTANT puts a mistake in; check.py has their names.
 */
#ifndef CAP
#define CAP 8
#endif
#ifndef TELL
#define TELL 2
#endif
#ifndef BYTES
#define BYTES 20
#endif
#define HALF (CAP / 2)

byte mutant;                   /* set once, by init */
#define MUT(m) (mutant == m)

byte written, taken;           /* as they are told */
bool readerSleeps, writerSleeps, readerBell, writerBell;
byte inside;                   /* bytes that are in the ring */

inline wake(sleeps, bell) {
  if :: sleeps -> atomic { if :: sleeps -> sleeps = 0; bell = 1 :: else fi } :: else fi
}

proctype writer() {
  byte w, t, n;
  do
  :: w == BYTES -> break
  :: w < BYTES ->
     if :: w - t == CAP -> t = taken :: else fi;
     if :: w - t < CAP ->
           atomic {
             n = 1;
             if :: true :: w + 1 < BYTES && w + 1 - t < CAP -> n = 2 fi;
             w = w + n; inside = inside + n;
             assert(inside <= CAP)
           }
           if :: MUT(67) -> wake(readerSleeps, readerBell); written = w
              :: else -> written = w; wake(readerSleeps, readerBell)
           fi
        :: else ->
           if :: MUT(68) -> skip :: else -> writerBell = 0 fi;
           if :: MUT(69) -> t = taken; writerSleeps = 1
              :: else -> writerSleeps = 1; t = taken
           fi;
           if :: w - t <= HALF -> writerSleeps = 0
              :: else ->
                 if :: MUT(68) -> writerBell = 0 :: else fi;
                 writerBell
           fi
     fi
  od
}

proctype reader() {
  byte w, t, told, n;
  do
  :: t == BYTES -> break
  :: t < BYTES ->
     if :: w == t -> w = written
        :: w != t -> skip
        :: w != t -> w = written
     fi;
     if :: w != t ->
           atomic {
             n = 1;
             if :: true :: n = w - t fi;
             t = t + n; inside = inside - n
           }
           if :: t == w || t - told >= TELL ->
                 told = t;
                 taken = t;
                 if :: w - t <= HALF && !MUT(70) -> wake(writerSleeps, writerBell)
                    :: else
                 fi
              :: else
           fi
        :: else ->
           readerBell = 0;
           if :: MUT(71) -> w = written; readerSleeps = 1
              :: else -> readerSleeps = 1; w = written
           fi;
           if :: w != t -> readerSleeps = 0
              :: else -> readerBell
           fi
     fi
  od
}

init {
  atomic {
    c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
    run writer();
    run reader()
  }
}
