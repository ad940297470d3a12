/*
 * A tenant comes into being and goes: a creator and one or two repairs, a second creator on the other shard, a move, a
 * deletion. The conventions are those of ownership.pml. A creation is a move without a source: its operation stands where
 * a move's id stands. A deletion is a move without a target.
 */
mtype = { NONE, PROVISIONING, ACTIVE, FROZEN, DELETING, OWNED, INCOMING, MOVED }

#define CREATE1 1                       /* operations; each has one journal row in its life */
#define CREATE2 2
#define MOVE 3
#define DELETE_OP 4

/* Directory: placement, journal row of the one operation under way, last epoch and last generation ever given. */
mtype p_state = NONE;
byte p_shard = 0, p_gen = 0, last_gen = 0, last_epoch = 0;
byte j_op = 0, j_epoch = 0;
bool j_committed = false;
byte m_epoch = 0;                       /* of the unfinished move, 0 = none */
bool m_flipped = false;

/* Shards 0 and 1. */
mtype state[2] = NONE;
byte op[2] = 0, gen[2] = 0, ep[2] = 0, fence[2] = 0, rows[2] = 0;
bool verified[2] = false;
byte moved_gen[2] = 0;                  /* the row 'moved' that an incoming row stands on */

byte acked = 0;

#ifdef NO_FENCE
#define HEARD(s) true
#define PASS(s) skip
#else
#define HEARD(s) (e >= fence[s])
#define PASS(s) fence[s] = e
#endif

/* ---- functions of the directory ------------------------------------------------------------------------------- */

inline begin_create(id, at) { d_step { ok = (p_state == NONE);
  if :: ok -> p_state = PROVISIONING; p_shard = at;
              last_gen++; p_gen = last_gen; g = last_gen; last_epoch++; j_op = id; j_epoch = last_epoch; e = last_epoch; j_committed = false
     :: else fi } }

inline commit_create(id) { d_step { ok = (j_op == id && j_epoch == e && (j_committed || (p_state == PROVISIONING && p_gen == g)));
  if :: ok -> j_committed = true; p_state = ACTIVE :: else fi } }

inline end_create(id) { d_step { ok = (j_op == id && j_epoch == e && j_committed); if :: ok -> j_op = 0; j_committed = false :: else fi } }

inline undo_create(id) { d_step { ok = (j_op == id && j_epoch == e && !j_committed);
  if :: ok -> j_op = 0; p_state = NONE :: else fi } }

inline take_over_creates() { d_step { ok = (j_op != 0);
  if :: ok -> last_epoch++; j_epoch = last_epoch; e = last_epoch; o = j_op; s = p_shard; g = p_gen; committed = j_committed :: else fi } }

/* A creation that has not ended may still write to the shard that the tenant is about to leave. */
#ifdef NO_CHECK
#define SETTLED true
#else
#define SETTLED (j_op == 0)
#endif
inline plan_move() { d_step { ok = (p_state == ACTIVE && SETTLED && m_epoch == 0);
  if :: ok -> last_epoch++; m_epoch = last_epoch; e = last_epoch; s = p_shard; g = p_gen :: else fi } }

inline move_flip() { d_step { ok = (m_epoch == e && p_state == ACTIVE && p_shard == s && p_gen == g);
  if :: ok -> p_shard = 1 - s; last_gen = g + 1; p_gen = g + 1; m_flipped = true :: else fi } }

inline begin_delete() { d_step { ok = (p_state == ACTIVE && j_op == 0 && m_epoch == 0);
  if :: ok -> p_state = DELETING; last_epoch++; j_op = DELETE_OP; j_epoch = last_epoch; e = last_epoch; s = p_shard; g = p_gen; j_committed = true
     :: else fi } }

inline end_delete() { d_step { ok = (j_op == DELETE_OP && j_epoch == e && p_state == DELETING);
  if :: ok -> j_op = 0; j_committed = false; p_state = NONE; acked = 0 :: else fi } }

/* ---- functions of a shard -------------------------------------------------------------------------------------- */

inline take_over(id, at) { d_step { ok = HEARD(at);
  if :: ok -> PASS(at); if :: op[at] == id && state[at] != OWNED -> ep[at] = e :: else fi :: else fi } }

inline reserve(id, at, new) { d_step { ok = (HEARD(at) && (state[at] == NONE || (state[at] == INCOMING && op[at] == id) || (state[at] == MOVED && gen[at] < new)));
  if :: ok -> PASS(at); if :: state[at] == MOVED -> moved_gen[at] = gen[at] :: else fi;
              state[at] = INCOMING; op[at] = id; gen[at] = new; ep[at] = e; verified[at] = false
     :: else fi } }

inline mark_verified(id, at) { d_step { ok = (HEARD(at) && state[at] == INCOMING && op[at] == id && ep[at] == e);
  if :: ok -> PASS(at); verified[at] = true :: else fi } }

inline activate(id, at) { d_step { ok = (HEARD(at) && op[at] == id && ((state[at] == INCOMING && ep[at] == e && verified[at]) || state[at] == OWNED));
  if :: ok -> PASS(at); state[at] = OWNED; moved_gen[at] = 0 :: else fi } }

inline release(id, at) { d_step { ok = (HEARD(at) && (state[at] == NONE || state[at] == MOVED || (state[at] == INCOMING && op[at] == id && rows[at] == 0)));
  if :: ok -> PASS(at);
              if :: state[at] == INCOMING && moved_gen[at] == 0 -> state[at] = NONE; op[at] = 0; gen[at] = 0
                 :: state[at] == INCOMING && moved_gen[at] != 0 -> state[at] = MOVED; op[at] = 0; gen[at] = moved_gen[at]; moved_gen[at] = 0
                 :: else fi
     :: else fi } }

inline freeze(id, at) { d_step { ok = (HEARD(at) && gen[at] == g && (state[at] == OWNED || (state[at] == FROZEN && op[at] == id)));
  if :: ok -> PASS(at); state[at] = FROZEN; op[at] = id; ep[at] = e :: else fi } }

inline mark_moved(id, at) { d_step { ok = (HEARD(at) && op[at] == id && (state[at] == FROZEN || state[at] == MOVED) && ep[at] == e);
  if :: ok -> PASS(at); state[at] = MOVED :: else fi } }

inline sweep(id, at) { d_step { ok = (HEARD(at) && op[at] == id && (state[at] == MOVED || state[at] == INCOMING) && ep[at] == e);
  if :: ok -> rows[at] = 0 :: else fi } }

/* ---- who runs them ---------------------------------------------------------------------------------------------- */

#define OR_END(step) step; if :: !ok -> goto over :: else fi

/* The tombstone stays, and with it the generation. */
inline freeze_or_moved() {
  if
  :: d_step { state[s] == MOVED && op[s] == DELETE_OP -> ok = true }
  :: else -> freeze(DELETE_OP, s); if :: ok -> mark_moved(DELETE_OP, s) :: else fi
  fi
}

proctype Creator(byte o; byte s) {
  bool ok; byte e, g;

  OR_END(begin_create(o, s));
  reserve(o, s, g);
  if :: !ok -> goto give_up :: else fi;
  OR_END(mark_verified(o, s));
#ifdef ACTIVATE_FIRST                   /* wrong on purpose: owned before the directory has decided */
  OR_END(activate(o, s));
  OR_END(commit_create(o));
#else
  OR_END(commit_create(o));
  OR_END(activate(o, s));
#endif
  end_create(o);
  goto over;
give_up: skip;
  OR_END(release(o, s));
  undo_create(o);
over: skip;
  d_step { ok = false; e = 0; g = 0 }
}

/* repair(): raises the fence, then finishes what is committed and undoes the rest. Deletions only go forward. */
proctype Repair() {
  bool ok, committed; byte e, g, o, s;

  OR_END(take_over_creates());
  OR_END(take_over(o, s));
#ifdef DELETE
  if :: o == DELETE_OP ->
        OR_END(freeze_or_moved());
        OR_END(sweep(o, s));
        end_delete();
        goto over
     :: else fi;
#endif
  if :: committed -> OR_END(activate(o, s)); end_create(o)
     :: else -> OR_END(release(o, s)); undo_create(o)
  fi;
over: skip;
  d_step { ok = false; e = 0; g = 0; o = 0; s = 0; committed = false }
}

/* A move, no more of it than meets a creation. */
proctype Mover() {
  bool ok; byte e, g, s;

  OR_END(plan_move());
  OR_END(reserve(MOVE, 1 - s, g + 1));
  OR_END(freeze(MOVE, s));
  d_step { ok = (state[1 - s] == INCOMING && op[1 - s] == MOVE && ep[1 - s] == e); if :: ok -> rows[1 - s] = rows[s] :: else fi };
  if :: !ok -> goto over :: else fi;
  OR_END(mark_verified(MOVE, 1 - s));
  OR_END(move_flip());
  OR_END(mark_moved(MOVE, s));
  OR_END(activate(MOVE, 1 - s));
  OR_END(sweep(MOVE, s));
  d_step { m_epoch = 0; m_flipped = false };
over: skip;
  d_step { ok = false; e = 0; g = 0; s = 0 }
}

proctype Deleter() {
  bool ok; byte e, g, s;

  OR_END(begin_delete());
  OR_END(freeze_or_moved());
#ifndef NO_SWEEP
  OR_END(sweep(DELETE_OP, s));
#endif
  end_delete();
over: skip;
  d_step { ok = false; e = 0; g = 0; s = 0 }
}

/* One write. A deleted tenant has none any more. */
proctype Writers() {
  do
  :: d_step { acked < 1 && state[0] == OWNED -> rows[0]++; acked++ }
  :: d_step { acked < 1 && state[1] == OWNED -> rows[1]++; acked++ }
  od
}

/* ---- what must never be ----------------------------------------------------------------------------------------- */

proctype Check() {
  if
#ifdef TWO
  :: d_step { (state[0] == OWNED && state[1] == OWNED) -> assert(false) }
#endif
#ifdef LOST                             /* the owner's rows are not the acknowledged ones of this life of the tenant */
  :: d_step { (state[0] == OWNED && state[1] != OWNED && rows[0] != acked) -> assert(false) }
  :: d_step { (state[1] == OWNED && state[0] != OWNED && rows[1] != acked) -> assert(false) }
#endif
#ifdef STRAY                            /* nothing is under way, the directory does not know the tenant, and a shard holds it */
  :: d_step { (p_state == NONE && j_op == 0 && (state[0] == OWNED || state[0] == INCOMING || state[0] == FROZEN)) -> assert(false) }
  :: d_step { (p_state == NONE && j_op == 0 && (state[1] == OWNED || state[1] == INCOMING || state[1] == FROZEN)) -> assert(false) }
#endif
#ifdef EARLY                            /* a shard lets the tenant write before the directory has decided for it */
  :: d_step { (p_state == PROVISIONING && (state[0] == OWNED || state[1] == OWNED)) -> assert(false) }
#endif
#ifdef STUCK                            /* in service by the directory, nothing is under way, and nobody owns */
  :: d_step { (p_state == ACTIVE && j_op == 0 && m_epoch == 0 && state[p_shard] != OWNED) -> assert(false) }
#endif
#ifdef OVERTAKEN                        /* a move is refused by a shard because of a repair */
  :: d_step { (m_epoch != 0 && (fence[0] > m_epoch || fence[1] > m_epoch)) -> assert(false) }
#endif
  fi
}

init { atomic {
  run Creator(CREATE1, 0);
  run Repair();
#ifdef SECOND_REPAIR
  run Repair();
#endif
#ifdef AGAIN
  run Creator(CREATE2, AGAIN);          /* on that shard, as soon as the tenant is free */
#endif
#ifdef MOVING
  run Mover();
#endif
#ifdef DELETE
  run Deleter();
#endif
  run Writers();
  run Check()
} }
