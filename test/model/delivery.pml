/* delivery.pml - at-least-once delivery between processes, for spin
 *
 * A source sends FRAMES frames to a relay, which sends each on to a sink. The relay and the sink
 * may die, DEATHS times in all, and are started again without what they had; a link to a new life
 * has nothing of the old one. The source keeps frames until they are acknowledged and sends them
 * again to a new life of the relay, which does the same to the sink. The relay acknowledges a frame
 * when what it has made of it is acknowledged. The sink writes what it has received into a buffer,
 * and in rounds: notes how much that is, makes it durable, says how much it has noted.
 *
 * Checked: a frame that the source has let go of, or whose end was taken, is durable; all processes
 * come to their end. The environment variable MUTANT puts a mistake in; check.py has their names.
 */
#ifndef FRAMES
#define FRAMES 2
#endif
#ifndef DEATHS
#define DEATHS 2
#endif
#define END FRAMES
#define ROOM (FRAMES + 2)

byte mutant;                   /* set once, by init */
#define MUT(m) (mutant == m)

bool durable[FRAMES];
byte deaths;
byte i;                        /* of an atomic step */

/* the source; it does not die */
byte released;                 /* frames that it does not keep any more */
byte base, sent;               /* frames before this link began; frames that were sent */
bool endSent, endTaken;
/* the link to the relay, and the relay: its life, and what is gone with it */
byte relayLife;
chan toRelay = [ROOM] of { byte };
chan toSource = [ROOM] of { byte };
byte kept[FRAMES];             /* frames that it has received, in order */
byte got, passed, acked, said; /* received; sent on; acknowledged by the sink; acknowledged */
byte before;                   /* acknowledged when the link to the sink began */
bool relayEnds, relayEndSent;
/* the link to the sink, and the sink */
byte sinkLife;
chan toSink = [ROOM * 2] of { byte, byte }; /* a frame, and the life of the relay that sends it */
chan toRelayBack = [ROOM] of { byte };
bool buffer[FRAMES];
byte peer;                     /* the life of the relay whose frames it counts */
byte received, noted, flushed, told;
bool sinkEnds;

inline clear(c) { do :: c?[_] -> c?_ :: else break od }
inline clear2(c) { do :: c?[_, _] -> c?_, _ :: else break od }
inline flush() {
  i = 0;
  do :: i < FRAMES -> durable[i] = durable[i] || buffer[i]; i++ :: else -> i = 0; break od
}

proctype Source() {
  byte x, life = 0;
  do
  :: atomic { life == relayLife && sent < FRAMES && nfull(toRelay) -> toRelay!sent; sent++ }
  :: atomic { life == relayLife && nempty(toSource) ->
       toSource?x;
       do :: released < base + x -> assert(durable[released]); released++ :: else -> break od;
       x = 0 }
  :: atomic { life != relayLife && !endTaken ->
       life = relayLife; base = released; endSent = endSent && MUT(57);
       if :: MUT(54) :: else -> sent = released fi }
  :: atomic { life == relayLife && sent == FRAMES && !endSent && nfull(toRelay) &&
              (released == FRAMES || MUT(55)) -> toRelay!END; endSent = 1 }
  :: endTaken -> break
  od
}

proctype Relay() {
  byte x, frame, life = 0;
  do
  :: atomic { nempty(toRelay) -> toRelay?x;
       if :: x == END -> relayEnds = 1; endTaken = 1
          :: else -> kept[got] = x; got++
       fi; x = 0 }
  :: atomic { life == sinkLife && passed < got && nfull(toSink) ->
       frame = kept[passed]; toSink!frame, relayLife; frame = 0; passed++ }
  :: atomic { life == sinkLife && nempty(toRelayBack) -> toRelayBack?x; acked = before + x; x = 0 }
  :: atomic { life != sinkLife ->
       life = sinkLife; before = acked; passed = acked; relayEndSent = 0 }
  :: atomic { !MUT(52) && !MUT(53) && said < acked && nfull(toSource) ->
       toSource!acked; said = acked }
  :: atomic { MUT(52) && said < got && nfull(toSource) -> toSource!got; said = got }
  :: atomic { MUT(53) && said < passed && nfull(toSource) -> toSource!passed; said = passed }
  :: atomic { life == sinkLife && relayEnds && acked == got && !relayEndSent && nfull(toSink) ->
       toSink!END, relayLife; relayEndSent = 1 }
  :: sinkEnds -> break
  od
}

proctype Sink() {
  byte x, from;
  do
  :: atomic { nempty(toSink) -> toSink?x, from;
       if :: from != peer && from == relayLife && MUT(58) -> peer = from
          :: from != peer && from == relayLife && !MUT(58) ->
               peer = from; received = 0; noted = 0; flushed = 0; told = 0
          :: else
       fi;
       if :: x == END && from == peer -> sinkEnds = 1; flush(); break
          :: x == END && from != peer
          :: x != END -> buffer[x] = 1;
               if :: from == peer -> received++ :: else fi
       fi; x = 0; from = 0 }
  :: atomic { noted < received && noted == flushed && !MUT(56) -> noted = received }
  :: atomic { (flushed < noted || MUT(56) && flushed < received) -> flush(); flushed = noted }
  :: atomic { MUT(56) && noted < received -> noted = received }
  :: atomic { told < (MUT(51) || MUT(56) -> noted : flushed) && peer == relayLife &&
              nfull(toRelayBack) ->
       told = (MUT(51) || MUT(56) -> noted : flushed); toRelayBack!told }
  od;
  i = 0;
  do :: i < FRAMES -> assert(durable[i]); i++ :: else -> break od
}

proctype Deaths() {
  do
  :: atomic { deaths < DEATHS && !sinkEnds ->       /* of the relay */
       deaths++; relayLife++;
       clear(toRelay); clear(toRelayBack);
       if :: MUT(59) :: else -> clear(toSource) fi;
       got = 0; passed = 0; acked = 0; said = 0; before = 0; relayEndSent = 0;
       relayEnds = endTaken }                       /* a stream that has ended stays ended */
  :: atomic { deaths < DEATHS && !sinkEnds ->       /* of the sink */
       deaths++; sinkLife++;
       clear2(toSink); clear(toRelayBack);
       i = 0;
       do :: i < FRAMES -> buffer[i] = 0; i++ :: else -> i = 0; break od;
       peer = relayLife; received = 0; noted = 0; flushed = 0; told = 0 }
  :: atomic { deaths == DEATHS || sinkEnds -> break }
  od
}

init {
  c_code { char *m = getenv("MUTANT"); now.mutant = m ? atoi(m) : 0; };
  atomic { run Source(); run Relay(); run Sink(); run Deaths() }
}
