/*
 * Who owns a tenant while it moves: one tenant, one move from a source to a target shard.
 *
 * Every inline below is one function of the code, and every d_step one database transaction: it commits as a whole or
 * is refused, and then ok is false. A crash or a pause is a process that is not scheduled any more; an answer that
 * never came is a process that stops right after its step. README.md says how to read a run and what each switch does.
 */
#ifndef RESUME
#define RESUME false                    /* what a later mover does with a move that is not yet flipped: false aborts it */
#endif
#ifndef WRITES
#define WRITES 2                        /* acknowledged writes that a run may have */
#endif
#if defined(THIRD) || defined(RETURN) || defined(ACTIVATE)
#define LAST 3                          /* the highest epoch that a mover of this run has */
#else
#define LAST 2
#endif

mtype = { PLANNED, RESERVED, FREEZING, FROZEN, COPYING, VERIFIED, FLIPPED, ACTIVATED, RETAINED, CLEANING, DONE,
          ABORTING, ABORTED,            /* phases of the move; FROZEN is an ownership state too */
          NONE, OWNED, INCOMING, MOVED }

/* Directory: the move's row and where the placement points. */
mtype phase = PLANNED;
byte epoch = 1, attempt = 1;
bool at_target = false;
bool returned = false;                  /* flipped a second time, back to the source, at generation g+2 */
bool unsourced = false;                 /* an operator has said: activate though the source does not answer */

/* Source shard: ownership row, mark below which no mover is heard, the tenant's rows. Generations count from g = 0. */
mtype s_state = OWNED;
byte s_epoch = 0, s_fence = 0, s_attempt = 0, s_rows = 0, s_gen = 0;
byte s_synced = 0;                      /* rows that a standby of the source has for sure */

/* Target shard; t_verified is the attempt whose copy was verified, 0 = none. */
mtype t_state = NONE;
byte t_epoch = 0, t_fence = 0, t_verified = 0, t_rows = 0;

byte acked = 0;                         /* writes that a client was told are committed */
byte ended = 0;                         /* movers that have come to an end */

#ifdef NO_FENCE
#define HEARD(fence, e) true
#else
#define HEARD(fence, e) (e >= fence)
#endif
#ifdef SOURCE_FAILOVER
#define SYNC s_synced = s_rows
#else
#define SYNC skip
#endif
#define BEFORE_FLIP (phase == PLANNED || phase == RESERVED || phase == FREEZING || phase == FROZEN || phase == COPYING || phase == VERIFIED)

/* ---- functions of the directory ------------------------------------------------------------------------------- */

inline move_advance(e, from, to) { d_step { ok = (phase == from && epoch == e); if :: ok -> phase = to :: else fi } }

inline move_finish(e, from, to) { move_advance(e, from, to) }

/* Operator: the target will not serve the tenant. The second flip, a compare-and-set like the first; undoing follows. */
inline move_return(e) { d_step { ok = (phase == FLIPPED && epoch == e);
  if :: ok -> phase = ABORTING; at_target = false; returned = true :: else fi } }

/* Operator: the source is dead. Written down before the target hears of it, so that whoever comes later knows. */
inline move_without_source(e) { d_step { ok = (phase == FLIPPED && epoch == e);
  if :: ok -> unsourced = true :: else fi } }

inline move_abort(e) { d_step { ok = (epoch == e && (BEFORE_FLIP || phase == ABORTING));
  if :: ok -> phase = ABORTING :: else fi } }

inline move_take_over(e) { d_step { ok = (epoch < e && phase != ABORTED && phase != DONE);
  if :: ok -> epoch = e; if :: BEFORE_FLIP || phase == ABORTING -> attempt++ :: else fi :: else fi } }

#ifdef SPLIT_FLIP
inline move_flip(e, a) {                /* wrong on purpose: looks first and writes later, in a second transaction */
  d_step { ok = (phase == VERIFIED && epoch == e && attempt == a) };
  if :: ok -> d_step { phase = FLIPPED; at_target = true } :: else fi }
#else
inline move_flip(e, a) { d_step { ok = (phase == VERIFIED && epoch == e && attempt == a);
  if :: ok -> phase = FLIPPED; at_target = true :: else fi } }
#endif

/*
 * The source row says `moved` by this move, so the flip was committed once, whatever the directory remembers. The copy
 * that counts is that of the attempt which the row names; a take-over must not write its own attempt there.
 */
#ifdef NEW_ATTEMPT
#define EVIDENT_ATTEMPT attempt
#else
#define EVIDENT_ATTEMPT s_attempt
#endif
inline move_redo_flip(e) { d_step { ok = (epoch == e && (BEFORE_FLIP || phase == ABORTING));
  if :: ok -> phase = FLIPPED; attempt = EVIDENT_ATTEMPT; at_target = true; a = attempt :: else fi } }

/* ---- functions of a shard -------------------------------------------------------------------------------------- */

/* A mover's step waits for the standby (synchronous_commit = on), and with it all that was committed before. */
inline take_over_source(e) { d_step { ok = HEARD(s_fence, e);
  if :: ok -> s_fence = e; SYNC; if :: s_state == FROZEN || s_state == MOVED -> s_epoch = e :: else fi :: else fi } }

inline take_over_target(e) { d_step { ok = HEARD(t_fence, e);
  if :: ok -> t_fence = e; if :: t_state == INCOMING || t_state == OWNED -> t_epoch = e :: else fi :: else fi } }

inline reserve(e) { d_step { ok = (HEARD(t_fence, e) && (t_state == NONE || (t_state == INCOMING && t_epoch <= e)));
  if :: ok -> t_state = INCOMING; t_epoch = e; t_rows = 0; t_verified = 0 :: else fi } }

inline freeze(e) { d_step { ok = (HEARD(s_fence, e) && s_gen == 0 && (s_state == OWNED || (s_state == FROZEN && s_epoch == e)));
  if :: ok -> s_state = FROZEN; s_epoch = e; SYNC :: else fi } }

inline unfreeze(e) { d_step { ok = (HEARD(s_fence, e) && s_gen == 0 && (s_state == OWNED || (s_state == FROZEN && s_epoch == e)));
  if :: ok -> s_state = OWNED; s_epoch = 0; SYNC :: else fi } }

/* After a second flip: owned again at g+2, whether it was frozen or had said moved. */
inline take_back(e) { d_step { ok = (HEARD(s_fence, e) && ((s_state == OWNED && s_gen == 2)
                                     || ((s_state == FROZEN || s_state == MOVED) && s_epoch == e)));
  if :: ok -> s_state = OWNED; s_epoch = 0; s_gen = 2; SYNC :: else fi } }

inline copy_in(e, rows) { d_step { ok = (t_state == INCOMING && t_epoch == e);
  if :: ok -> t_rows = t_rows + rows :: else fi; rows = 0 } }

/* The target's side of the verification and its marker are one transaction. */
#ifdef NO_VERIFY
#define SAME(rows) true
#else
#define SAME(rows) (t_rows == rows)
#endif
#ifdef SPLIT_VERIFY
inline mark_verified(e, a, rows) {      /* wrong on purpose: a failover of the target fits between reading and marking */
  d_step { ok = SAME(rows) };
  if :: ok -> d_step { ok = (HEARD(t_fence, e) && t_state == INCOMING && t_epoch == e);
    if :: ok -> t_verified = a :: else fi } :: else fi }
#else
inline mark_verified(e, a, rows) {
  d_step { ok = (HEARD(t_fence, e) && t_state == INCOMING && t_epoch == e && SAME(rows));
  if :: ok -> t_verified = a :: else fi; rows = 0 } }
#endif

inline mark_moved(e, a) { d_step { ok = (HEARD(s_fence, e) && (s_state == FROZEN || s_state == MOVED) && s_epoch == e);
  if :: ok -> s_state = MOVED; s_attempt = a; SYNC :: else fi } }

#ifdef NO_MARKER
#define COMPLETE(a) true
#elif defined(ANY_MARKER)
#define COMPLETE(a) (t_verified != 0)
#else
#define COMPLETE(a) (t_verified == a)
#endif
inline activate(e, a) {
  d_step { ok = (HEARD(t_fence, e) && ((t_state == INCOMING && t_epoch == e && COMPLETE(a)) || t_state == OWNED));
  if :: ok -> t_state = OWNED :: else fi } }

inline release(e) { d_step { ok = (HEARD(t_fence, e) && (t_state == NONE || (t_state == INCOMING && t_epoch == e)));
  if :: ok -> t_state = NONE; t_rows = 0; t_verified = 0 :: else fi } }

inline clean(e) { d_step { ok = (s_state == MOVED && s_epoch == e); if :: ok -> s_rows = 0 :: else fi } }

/* ---- the mover: the first has epoch 1, whoever recovers or resumes has a higher one ---------------------------- */

/* What proves a flip that the directory has forgotten. A target that owns does so without the source's word only. */
#if defined(ACTIVATE) && !defined(NO_TARGET_EVIDENCE)
#define EVIDENT (s_state == MOVED || t_state == OWNED)
#else
#define EVIDENT (s_state == MOVED)
#endif
/* A target that does not answer keeps nobody from undoing: with TARGET_SILENT it may be left out at any time. */
#ifdef TARGET_SILENT
#define TELL_TARGET(e) if :: d_step { ok = true } :: take_over_target(e) fi
#else
#define TELL_TARGET(e) take_over_target(e)
#endif
#define TRY(step) step; if :: !ok -> goto refused :: else fi

proctype Mover(byte e) {
  bool ok; byte a = 1; byte seen; mtype found;

  if :: e == 1 -> goto planned :: else fi;

  move_take_over(e);
  if :: !ok -> goto end_of_mover :: else fi;
  take_over_source(e);
  if :: !ok -> goto end_of_mover :: else fi;
  TELL_TARGET(e);
  if :: !ok -> goto end_of_mover :: else fi;
  d_step { ok = (epoch == e); found = phase; a = attempt };
  if :: !ok -> goto end_of_mover :: else fi;
  if
  :: found == FLIPPED   -> found = PLANNED; goto flip_is_committed
  :: found == ACTIVATED -> found = PLANNED; goto target_owns
  :: found == RETAINED  -> found = PLANNED; goto old_rows_wait
  :: found == CLEANING  -> found = PLANNED; goto old_rows_go
  :: found == ABORTING  -> found = PLANNED; goto aborting
  :: found == ABORTED || found == DONE -> goto end_of_mover
  :: else
  fi;
#ifndef NO_EVIDENCE
  d_step { ok = EVIDENT };
  if :: ok -> found = PLANNED; TRY(move_redo_flip(e)); goto flip_is_committed :: else fi;
#endif
  if :: !RESUME -> found = PLANNED; goto refused :: else fi;
  TRY(move_advance(e, found, RESERVED));
  found = PLANNED;                              /* locals that are not needed any more would only make more states */
  goto reserved;

planned: skip;
  TRY(move_advance(e, PLANNED, RESERVED));      /* intent is journaled before anything is made */
reserved: skip;
  TRY(reserve(e));
  TRY(move_advance(e, RESERVED, FREEZING));
#ifdef COPY_BEFORE_FREEZE
  seen = s_rows;
  TRY(copy_in(e, seen));
#endif
  TRY(freeze(e));
  TRY(move_advance(e, FREEZING, FROZEN));
  TRY(move_advance(e, FROZEN, COPYING));
#ifndef COPY_BEFORE_FREEZE
  seen = s_rows;                                /* the snapshot of the source; no transaction spans both shards */
  TRY(copy_in(e, seen));
#endif
  seen = s_rows;                                /* read afresh */
  TRY(mark_verified(e, a, seen));
  TRY(move_advance(e, COPYING, VERIFIED));
  d_step { ok = (s_state == FROZEN && s_epoch == e) };
  if :: !ok -> goto refused :: else fi;
  TRY(move_flip(e, a));

flip_is_committed: skip;
#ifdef TARGET_SILENT
  take_over_target(e);                          /* on the way forward it is waited for */
  if :: !ok -> goto end_of_mover :: else fi;
#endif
#ifdef ACTIVATE_FIRST
  TRY(activate(e, a));
  TRY(mark_moved(e, a));
#else
  TRY(mark_moved(e, a));
  TRY(activate(e, a));
#endif
  TRY(move_advance(e, FLIPPED, ACTIVATED));
target_owns: skip;
  TRY(move_finish(e, ACTIVATED, RETAINED));
old_rows_wait: skip;
  TRY(move_advance(e, RETAINED, CLEANING));
old_rows_go: skip;
  d_step { ok = (t_state == OWNED) };           /* only what lives elsewhere is deleted */
  if :: !ok -> goto refused :: else fi;
  TRY(clean(e));
  TRY(move_finish(e, CLEANING, DONE));
  goto end_of_mover;

refused: skip;                                        /* nobody goes back on his own: the directory says ABORTING first */
  move_abort(e);
  if :: !ok -> goto end_of_mover :: else fi;
aborting: skip;
  take_over_source(e);                          /* also when there is nothing to thaw: a late freeze must be refused */
  if :: !ok -> goto end_of_mover :: else fi;
  TELL_TARGET(e);
  if :: !ok -> goto end_of_mover :: else fi;
  d_step { ok = returned };
  if :: ok -> take_back(e) :: else -> unfreeze(e) fi;
  if
  :: !ok ->
#ifndef NO_EVIDENCE
     d_step { ok = (!returned && EVIDENT) };
     if :: ok -> move_redo_flip(e); if :: ok -> goto flip_is_committed :: else fi :: else fi;
#endif
     goto end_of_mover
  :: else
  fi;
#ifdef TARGET_SILENT
  if :: skip :: release(e); if :: !ok -> goto end_of_mover :: else fi fi;
#else
  release(e);
  if :: !ok -> goto end_of_mover :: else fi;
#endif
  move_finish(e, ABORTING, ABORTED);

end_of_mover: skip;
  d_step { ended++; a = 0; seen = 0; found = PLANNED; ok = false }
}

/* ---- what only a person can decide: the last epoch of its run --------------------------------------------------- */

/* The target died between flip and activation. The source is told first: then nobody can make it say moved any more. */
proctype ReturnToSource(byte e) {
  bool ok; bool asked = false;

  move_take_over(e);
  if :: !ok -> goto end_of_operator :: else fi;
#ifndef RETURN_UNFENCED
  take_over_source(e);
  if :: !ok -> goto end_of_operator :: else fi;
#endif
  if
  :: take_over_target(e);               /* it may answer */
     if :: !ok -> goto end_of_operator :: else fi;
     asked = true;
     d_step { ok = (t_state != OWNED) };
     if :: !ok -> goto end_of_operator :: else fi
  :: skip                               /* or be dead: then the source must prove that it was never activated */
  fi;
#ifndef RETURN_UNASKED
  d_step { ok = (asked || (s_state != MOVED && !unsourced)) };
  if :: !ok -> goto end_of_operator :: else fi;
#endif
  move_return(e);
  if :: !ok -> goto end_of_operator :: else fi;
#ifdef RETURN_UNFENCED
  take_over_source(e);
#endif
  take_back(e);                         /* the target is emptied when it answers again, by recover() */

end_of_operator: skip;
  d_step { ended++; ok = false; asked = false }
}

/* The source died for good right after the flip. The move stays FLIPPED, so that a source that comes back is told. */
proctype ActivateWithoutSource(byte e) {
  bool ok; byte a;

  move_take_over(e);
  if :: !ok -> goto end_of_operator :: else fi;
  take_over_target(e);
  if :: !ok -> goto end_of_operator :: else fi;
  d_step { a = attempt };
#ifndef UNWRITTEN
  move_without_source(e);
  if :: !ok -> goto end_of_operator :: else fi;
#endif
  activate(e, a);

end_of_operator: skip;
  d_step { ended++; ok = false; a = 0 }
}

/* ---- everybody else --------------------------------------------------------------------------------------------- */

/* Clients with right, wrong and old routes: a write is acknowledged where the guard of a shard admits it. */
proctype Writers() {
  do
  :: d_step { acked < WRITES && s_state == OWNED -> s_rows++; acked++ }
  :: d_step { acked < WRITES && t_state == OWNED -> t_rows++; acked++ }
  od
}

/* cancel() and a freeze that took too long: both only say ABORTING, the mover does the rest. */
inline move_cancel() { d_step { BEFORE_FLIP -> phase = ABORTING } }
proctype Cancel() { move_cancel() }

/* Wrong on purpose: a timer that opens the source without asking the directory. */
proctype HastyTimer() { d_step { s_state == FROZEN && s_epoch == 1 -> s_state = OWNED; s_epoch = 0 } }

/* A standby of the directory that lags and is promoted: the last transactions are gone. */
mtype o_phase = PLANNED; byte o_epoch = 1, o_attempt = 1; bool o_at_target = false, o_returned = false, o_unsourced = false;
proctype DirectoryFailover() {
  if
  :: d_step { true -> o_phase = phase; o_epoch = epoch; o_attempt = attempt; o_at_target = at_target;
              o_returned = returned; o_unsourced = unsourced }
  :: true
  fi;
  d_step { phase = o_phase; epoch = o_epoch; attempt = o_attempt; at_target = o_at_target;
           returned = o_returned; unsourced = o_unsourced;
           o_phase = PLANNED; o_epoch = 0; o_attempt = 0; o_at_target = false; o_returned = false; o_unsourced = false }
}

/* The same for the target shard, up to its activation: marker, mark and rows go back together. */
mtype o_state = NONE; byte o_t_epoch = 0, o_fence = 0, o_verified = 0, o_rows = 0;
proctype TargetFailover() {
  if
  :: d_step { t_state != OWNED -> o_state = t_state; o_t_epoch = t_epoch; o_fence = t_fence; o_verified = t_verified; o_rows = t_rows }
  :: true
  fi;
  d_step { t_state != OWNED -> t_state = o_state; t_epoch = o_t_epoch; t_fence = o_fence; t_verified = o_verified; t_rows = o_rows;
           o_state = NONE; o_t_epoch = 0; o_fence = 0; o_verified = 0; o_rows = 0 }
}

/*
 * A standby of the source is promoted. It has all that was committed up to the last step of a mover, and of writers that
 * did not wait for it (synchronous_commit = off or local) perhaps no more: those are lost, and were never promised.
 */
proctype SourceFailover() {
#ifdef ASYNC_SOURCE                     /* wrong on purpose: steps of movers do not wait for it either */
  mtype o_s_state = OWNED; byte o_s_epoch = 0, o_s_fence = 0, o_s_attempt = 0, o_s_rows = 0;
  if
  :: d_step { true -> o_s_state = s_state; o_s_epoch = s_epoch; o_s_fence = s_fence; o_s_attempt = s_attempt; o_s_rows = s_rows }
  :: true
  fi;
  d_step { s_state = o_s_state; s_epoch = o_s_epoch; s_fence = o_s_fence; s_attempt = o_s_attempt; s_rows = o_s_rows }
#else
  if
  :: d_step { s_state == OWNED -> s_synced = s_rows }
  :: true
  fi;
  d_step { s_state == OWNED -> acked = acked - (s_rows - s_synced); s_rows = s_synced }
#endif
}

/* ---- what must never be ----------------------------------------------------------------------------------------- */

#define NOBODY_OWNS (s_state != OWNED && t_state != OWNED)
#define ALL_ENDED (ended == LAST)

proctype Check() {
  if
#ifdef TWO                              /* two owners */
  :: d_step { (s_state == OWNED && t_state == OWNED) -> assert(false) }
#endif
#ifdef LOST                             /* the only owner does not have exactly the acknowledged writes */
  :: d_step { (s_state == OWNED && t_state != OWNED && s_rows != acked) -> assert(false) }
  :: d_step { (t_state == OWNED && s_state != OWNED && t_rows != acked) -> assert(false) }
#endif
#ifdef ORPHAN                           /* the move has ended and nobody owns the tenant */
  :: d_step { (ALL_ENDED && phase == ABORTED && NOBODY_OWNS) -> assert(false) }
#endif
#ifdef STUCK                            /* the last mover had its way to the end and nobody owns the tenant */
  :: d_step { (ALL_ENDED && epoch == LAST && NOBODY_OWNS) -> assert(false) }
#endif
#ifdef MIS                              /* the directory names one shard and the other owns */
  :: d_step { (ALL_ENDED && at_target && s_state == OWNED) -> assert(false) }
  :: d_step { (ALL_ENDED && !at_target && t_state == OWNED) -> assert(false) }
#endif
  fi
}

init { atomic {
  run Mover(1);
#if RETURN == 2
  run ReturnToSource(2);                /* the epochs of operators are the values of RETURN and ACTIVATE */
#elif ACTIVATE == 2
  run ActivateWithoutSource(2);
#else
  run Mover(2);
#endif
#if RETURN == 3
  run ReturnToSource(3);
#elif ACTIVATE == 3
  run ActivateWithoutSource(3);
#elif LAST == 3
  run Mover(3);
#endif
  run Writers();
#ifdef CANCEL
  run Cancel();
#endif
#ifdef HASTY_TIMER
  run HastyTimer();
#endif
#ifdef DIRECTORY_FAILOVER
  run DirectoryFailover();
#endif
#ifdef TARGET_FAILOVER
  run TargetFailover();
#endif
#ifdef SOURCE_FAILOVER
  run SourceFailover();
#endif
  run Check()
} }
