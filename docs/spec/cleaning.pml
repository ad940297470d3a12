/*
 * Old rows go while the tenant moves back: A to B is over, its old rows wait on A, and a second move brings the tenant
 * from B to A. Cleaners of the first move and movers of the second meet on A. The conventions are those of ownership.pml;
 * what that model shows about one move (evidence, marker, order after the flip) is taken from it here and not broken.
 */
#ifndef WRITES
#define WRITES 1                        /* acknowledged writes besides the OLD rows that the tenant has at first */
#endif
#ifndef OLD
#define OLD 1
#endif
#ifdef SECOND
#define LAST 4                          /* two processes clean at once */
#else
#define LAST 3
#endif

mtype = { NONE, PLANNED, RESERVED, FREEZING, FROZEN, COPYING, VERIFIED, FLIPPED, RETAINED, CLEANING, DONE, ABORTING, ABORTED,
          OWNED, INCOMING, MOVED }

/* Directory: both moves, where the placement points, the sequence of epochs. */
mtype phase1 = RETAINED, phase2 = NONE;
byte epoch1 = 1, epoch2 = 0, attempt2 = 1, last_epoch = 1;
bool superseded1 = false, at_a = false;

/* Shards: state, the move that the row names, its generation, epoch, fence, verified attempt, rows. */
mtype a_state = MOVED, b_state = OWNED;
byte a_move = 1, a_gen = 1, a_epoch = 1, a_fence = 1, a_verified = 0, a_rows = OLD;
byte b_move = 1, b_gen = 2, b_epoch = 1, b_fence = 1, b_rows = OLD;

byte acked = OLD;
byte deleting = 0;                      /* cleaners between their look at the target and their end */
byte ended = 0;

#define BEFORE_FLIP(p) (p == PLANNED || p == RESERVED || p == FREEZING || p == FROZEN || p == COPYING || p == VERIFIED)
#define UNFINISHED(p) (BEFORE_FLIP(p) || p == FLIPPED || p == ABORTING)

/* ---- functions of the directory ------------------------------------------------------------------------------- */

/* Old rows that wait on the new target are the new move's business from now on. */
inline plan_move() { d_step { ok = (phase2 == NONE && !at_a);
  if :: ok -> phase2 = PLANNED; last_epoch++; epoch2 = last_epoch; e = last_epoch;
              if :: phase1 == RETAINED || phase1 == CLEANING -> superseded1 = true :: else fi
     :: else fi } }

#ifdef NO_SUPERSEDE
#define SUPERSEDED false
#else
#define SUPERSEDED superseded1
#endif
inline take_over_retained() { d_step { ok = ((phase1 == RETAINED || phase1 == CLEANING) && !SUPERSEDED);
  if :: ok -> last_epoch++; epoch1 = last_epoch; e = last_epoch; found = phase1 :: else fi } }

inline take_over_move() { d_step { ok = UNFINISHED(phase2);
  if :: ok -> last_epoch++; epoch2 = last_epoch; e = last_epoch;
              if :: BEFORE_FLIP(phase2) -> attempt2++ :: else fi; found = phase2; a = attempt2
     :: else fi } }

inline advance_retained(from, to) { d_step { ok = (epoch1 == e && (phase1 == to || (phase1 == from && !(to == CLEANING && SUPERSEDED))));
  if :: ok -> phase1 = to :: else fi } }

inline move_advance(from, to) { d_step { ok = (phase2 == from && epoch2 == e); if :: ok -> phase2 = to :: else fi } }

inline move_flip() { d_step { ok = (phase2 == VERIFIED && epoch2 == e && attempt2 == a);
  if :: ok -> phase2 = FLIPPED; at_a = true :: else fi } }

inline move_redo_flip() { d_step { ok = (epoch2 == e && (BEFORE_FLIP(phase2) || phase2 == ABORTING));
  if :: ok -> phase2 = FLIPPED; at_a = true :: else fi } }

inline move_abort() { d_step { ok = (epoch2 == e && (BEFORE_FLIP(phase2) || phase2 == ABORTING));
  if :: ok -> phase2 = ABORTING :: else fi } }

inline move_aborted() { d_step { ok = (phase2 == ABORTING && epoch2 == e);
  if :: ok -> phase2 = ABORTED; superseded1 = false :: else fi } }

/* ---- functions of a shard -------------------------------------------------------------------------------------- */

inline take_over_a(move) { d_step { ok = (e >= a_fence);
  if :: ok -> a_fence = e; if :: a_move == move && a_state != OWNED -> a_epoch = e :: else fi :: else fi } }

inline take_over_b() { d_step { ok = (e >= b_fence);
  if :: ok -> b_fence = e; if :: b_move == 2 && b_state != OWNED -> b_epoch = e :: else fi :: else fi } }

inline reserve() { d_step {
  ok = (e >= a_fence && ((a_state == MOVED && a_gen < 3) || (a_state == INCOMING && a_move == 2)));
  if :: ok -> a_fence = e; a_state = INCOMING; a_gen = 3; a_move = 2; a_epoch = e; a_verified = 0 :: else fi } }

inline freeze() { d_step { ok = (e >= b_fence && b_gen == 2 && (b_state == OWNED || (b_state == FROZEN && b_move == 2 && b_epoch == e)));
  if :: ok -> b_fence = e; b_state = FROZEN; b_move = 2; b_epoch = e :: else fi } }

inline unfreeze() { d_step { ok = (e >= b_fence && b_gen == 2 && (b_state == OWNED || (b_state == FROZEN && b_move == 2)));
  if :: ok -> b_fence = e; b_state = OWNED :: else fi } }

/* One batch, bound to move and epoch; the guard admits no other mover to the tenant. */
#ifdef UNBOUND
#define MAY_SWEEP(move) true
#else
#define MAY_SWEEP(move) (e >= a_fence && a_move == move && a_epoch == e && (a_state == MOVED || a_state == INCOMING))
#endif
inline sweep_a(move) { d_step { ok = MAY_SWEEP(move); if :: ok && a_rows > 0 -> a_rows-- :: else fi } }

inline copy_in(rows) { d_step { ok = (a_state == INCOMING && a_move == 2 && a_epoch == e); if :: ok -> a_rows = a_rows + rows :: else fi; rows = 0 } }

#ifdef NO_VERIFY
#define SAME true
#else
#define SAME (a_rows == b_rows)
#endif
inline mark_verified() { d_step { ok = (e >= a_fence && a_state == INCOMING && a_move == 2 && a_epoch == e && SAME);
  if :: ok -> a_verified = a :: else fi } }

inline mark_moved() { d_step { ok = (e >= b_fence && b_move == 2 && ((b_state == FROZEN && b_epoch == e) || b_state == MOVED));
  if :: ok -> b_fence = e; b_state = MOVED :: else fi } }

inline activate() { d_step { ok = (e >= a_fence && a_move == 2 && ((a_state == INCOMING && a_epoch == e && a_verified != 0) || a_state == OWNED));
  if :: ok -> a_fence = e; a_state = OWNED :: else fi } }

/* The row 'moved' of the first move comes back, with a generation that is not new. */
inline release() { d_step { ok = (e >= a_fence && ((a_state == INCOMING && a_move == 2 && a_rows == 0) || (a_state == MOVED && a_gen < 3)));
  if :: ok -> a_fence = e; if :: a_state == INCOMING -> a_state = MOVED; a_move = 1; a_gen = 1; a_epoch = e :: else fi :: else fi } }

/* ---- who runs them ---------------------------------------------------------------------------------------------- */

#define TRY(step) step; if :: !ok -> goto refused :: else fi
#define OR_END(step) step; if :: !ok -> goto over :: else fi

/* clean() of the first move: by two processes, each may come when the other is at it. */
proctype Cleaner() {
  bool ok; byte e; bool home_a; mtype found;

  OR_END(take_over_retained());
  OR_END(take_over_a(1));
  home_a = at_a;
  if :: home_a -> goto over :: else fi;
#ifdef NO_LOOK                          /* wrong on purpose: the directory is believed */
  deleting++;
#else
  d_step { ok = ((b_state == OWNED || b_state == FROZEN) && b_gen >= 2); if :: ok -> deleting++ :: else fi };
  if :: !ok -> goto over :: else fi;
#endif
  d_step { ok = (a_state == MOVED && a_move == 1 && a_gen == 1) };
  if :: !ok -> goto looked :: else fi;
  if :: found == RETAINED -> advance_retained(RETAINED, CLEANING); if :: !ok -> goto looked :: else fi :: else fi;
  do
  :: sweep_a(1); if :: !ok -> goto looked :: ok && a_rows == 0 -> break :: else fi
  od;
  advance_retained(CLEANING, DONE);
looked: skip;
  d_step { deleting-- };
over: skip;
  d_step { ended++; ok = false; e = 0; found = NONE; home_a = false }
}

/* The second move: `first` plans it, the other recovers it. */
proctype Mover(bool first) {
  bool ok; byte e; byte a = 1; byte seen; mtype found;

  if :: first -> OR_END(plan_move()); goto planned :: else fi;
  OR_END(take_over_move());
  OR_END(take_over_b());
  OR_END(take_over_a(2));
  if :: found == FLIPPED -> goto flip_is_committed :: found == ABORTING -> goto aborting :: else fi;
  if :: b_state == MOVED && b_move == 2 -> TRY(move_redo_flip()); goto flip_is_committed :: else -> goto refused fi;

planned: skip;
  TRY(move_advance(PLANNED, RESERVED));
  TRY(reserve());
  TRY(move_advance(RESERVED, FREEZING));
  TRY(freeze());
  TRY(move_advance(FREEZING, FROZEN));
  TRY(move_advance(FROZEN, COPYING));
#ifndef KEEP_OLD
  do
  :: sweep_a(2); if :: !ok -> goto refused :: ok && a_rows == 0 -> break :: else fi
  od;
#endif
  seen = b_rows;
  TRY(copy_in(seen));
  TRY(mark_verified());
  TRY(move_advance(COPYING, VERIFIED));
  d_step { ok = (b_state == FROZEN && b_move == 2 && b_epoch == e) };
  if :: !ok -> goto refused :: else fi;
  TRY(move_flip());
flip_is_committed: skip;
  TRY(mark_moved());
  TRY(activate());
  TRY(move_advance(FLIPPED, RETAINED));
  goto over;

refused: skip;
  OR_END(move_abort());
aborting: skip;
  OR_END(take_over_b());
  OR_END(unfreeze());
  OR_END(take_over_a(2));
  do
  :: d_step { ok = (a_state == INCOMING && a_move == 2) }; if :: !ok || a_rows == 0 -> break :: else fi;
     sweep_a(2); if :: !ok -> goto over :: else fi
  od;
  OR_END(release());
  move_aborted();
over: skip;
  d_step { ended++; ok = false; e = 0; a = 0; seen = 0; found = NONE }
}

proctype Writers() {
  do
  :: d_step { acked < OLD + WRITES && a_state == OWNED -> a_rows++; acked++ }
  :: d_step { acked < OLD + WRITES && b_state == OWNED -> b_rows++; acked++ }
  od
}

/* B is put back to a time before the first move, before anybody cleans. What was written there since is lost with it. */
proctype Restore() {
  d_step { phase1 == RETAINED && phase2 == NONE && deleting == 0 && b_state == OWNED -> b_state = NONE; b_gen = 0; b_rows = 0; acked = OLD }
}

/* The directory falls back to an older state of its own; with EPOCHS_TOO its sequence gives old epochs again. */
proctype DirectoryFailover() {
  mtype o_phase1 = RETAINED, o_phase2 = NONE; byte o_epoch1 = 1, o_epoch2 = 0, o_attempt2 = 1, o_last = 1; bool o_super = false, o_at_a = false;
  if
  :: d_step { true -> o_phase1 = phase1; o_phase2 = phase2; o_epoch1 = epoch1; o_epoch2 = epoch2; o_attempt2 = attempt2;
              o_last = last_epoch; o_super = superseded1; o_at_a = at_a }
  :: true
  fi;
  d_step { phase1 = o_phase1; phase2 = o_phase2; epoch1 = o_epoch1; epoch2 = o_epoch2; attempt2 = o_attempt2;
           superseded1 = o_super; at_a = o_at_a;
#ifdef EPOCHS_TOO
           last_epoch = o_last;
#endif
           o_phase1 = NONE; o_phase2 = NONE; o_epoch1 = 0; o_epoch2 = 0; o_attempt2 = 0; o_last = 0; o_super = false; o_at_a = false }
}

/* ---- what must never be ----------------------------------------------------------------------------------------- */

proctype Check() {
  if
#ifdef TWO
  :: d_step { (a_state == OWNED && b_state == OWNED) -> assert(false) }
#endif
#ifdef LOST
  :: d_step { (a_state == OWNED && b_state != OWNED && a_rows != acked) -> assert(false) }
  :: d_step { (b_state == OWNED && a_state != OWNED && b_rows != acked) -> assert(false) }
#endif
#ifdef GONE                             /* no shard has all acknowledged rows any more */
  :: d_step { (a_rows != acked && b_rows != acked) -> assert(false) }
#endif
#ifdef OVERTAKEN                        /* the mover of the second move is refused on A by a cleaner of the first */
  :: d_step { (UNFINISHED(phase2) && a_fence > epoch2) -> assert(false) }
#endif
#ifdef STUCK                            /* all have ended, the last one was a mover, and nobody owns */
  :: d_step { (ended == LAST && epoch2 == last_epoch && a_state != OWNED && b_state != OWNED) -> assert(false) }
#endif
  fi
}

init { atomic {
  run Cleaner(); run Mover(true); run Mover(false); run Writers();
#ifdef SECOND
  run Cleaner();
#endif
#ifdef RESTORE
  run Restore();
#endif
#ifdef DIRECTORY_FAILOVER
  run DirectoryFailover();
#endif
  run Check()
} }
