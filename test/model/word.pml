/* word.pml - the word, its entry, idle workers, waiting for space: what both models share
 *
 * Before it: the constants, the variables of words and workers, SIZE(p), and look(w), which
 * sets `more` to whether there is something to run behind the word.
 */

/* --- sleeping ------------------------------------------------------------ */

#if WORKERS == 1
#define SLEEPY (idle[0] != 0)
#else
#define SLEEPY (idle[0] != 0 || idle[1] != 0)
#endif
inline wakeIdle() {            /* look for sleepers; epoch + 1, futex wake of one */
  if :: SLEEPY && !MUT(17) ->
        atomic {
          i = 0;
          do :: i < WORKERS -> if :: idle[i] == 1 -> idle[i] = 0 :: else fi; i++
             :: else -> i = 0; break
          od;
          if :: idle[0] == 2 -> idle[0] = 0
#if WORKERS > 1
             :: idle[1] == 2 -> idle[1] = 0
#endif
             :: else
          fi
        }
     :: else
  fi
}
inline addEntry(w) {
  atomic { assert(!entered[w]); entered[w] = true; entries!w }
  wakeIdle()
}
inline finish() {
  ended = true;
  if :: MUT(16) -> wakeIdle()
     :: else -> atomic { i = 0; do :: i < WORKERS -> idle[i] = 0; raised[i] = 0; i++ :: else -> i = 0; break od }
  fi
}

/* --- the word ------------------------------------------------------------ */

inline notify(w, p) {
  if :: MUT(1) && SIZE(p) > 1 -> skip                       /* only what was empty */
     :: else ->
        atomic {
          if :: owner[w] != 0 -> D[w] = D[w] || !MUT(2); add = 0
             :: else -> add = !Q[w] || MUT(3); Q[w] = 1
          fi
        }
        if :: add -> add = 0; addEntry(w) :: else fi
  fi
}
inline win(w, won) {
  atomic {
    if :: owner[w] == 0 -> owner[w] = me + 1; D[w] = 0; won = 1; inside[w]++; assert(inside[w] == 1);
          if :: MUT(4) -> Q[w] = 0 :: else fi
       :: else -> won = 0
    fi
  }
}
inline take(w, won) {
  atomic {
    assert(Q[w]);
    Q[w] = MUT(5);
    if :: owner[w] == 0 -> owner[w] = me + 1; D[w] = 0; won = 1; inside[w]++; assert(inside[w] == 1)
       :: else -> D[w] = D[w] || !MUT(6); won = 0
    fi
  }
}
#define ARMED(t, w) (armed[t] && at[t] == w)
#if THREADS == 2
#define WAITERS(w) (ARMED(0, w) || ARMED(1, w))
#elif THREADS == 3
#define WAITERS(w) (ARMED(0, w) || ARMED(1, w) || ARMED(2, w))
#elif THREADS == 4
#define WAITERS(w) (ARMED(0, w) || ARMED(1, w) || ARMED(2, w) || ARMED(3, w))
#else
#define WAITERS(w) (ARMED(0, w) || ARMED(1, w) || ARMED(2, w) || ARMED(3, w) || ARMED(4, w))
#endif
inline wakeSpace(w) {
  if :: WAITERS(w) ->
        atomic { i = 0; do :: i < THREADS -> if :: at[i] == w -> armed[i] = 0 :: else fi; i++ :: else -> i = 0; break od }
     :: else
  fi
}
inline out(w) { assert(inside[w] == 1 && owner[w] == me + 1); inside[w]-- }
inline release(w) {            /* uses more */
  do
  :: atomic { more -> out(w); owner[w] = 0; D[w] = 0; add = !Q[w] || MUT(9); Q[w] = 1; more = 0 }
     if :: add -> add = 0; addEntry(w) :: else fi; break
  :: atomic { !more && (!D[w] || MUT(7)) -> out(w); owner[w] = 0 } break
  :: else ->
     if :: MUT(8) -> look(w); D[w] = 0
        :: else -> D[w] = 0; look(w)
     fi
  od;
  if :: MUT(13) && SIZE(w) >= CAP -> skip
     :: else -> wakeSpace(w)
  fi
}
