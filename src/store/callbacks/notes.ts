/**
 * The notes of attempts that this process has written, each a row of `sendings`: see decision 0022.
 * Those whose attempts have all ended are deleted by the statement that records the next ones.
 */
export type Notes = {
  /** The number of a new one. */
  next(): number
  /** It was written, and names so many attempts: the answer gives each a way to say that it ended. */
  begun(batch: number, attempts: number): () => () => void
  /** A write that deletes those that are over. */
  withOver<T>(write: (over: readonly number[]) => Promise<T>): Promise<T>
}

export function createNotes(): Notes {
  let batches = 0
  let over: number[] = []
  return {
    next: () => {
      batches += 1
      return batches
    },
    begun: (batch, attempts) => {
      let underWay = attempts
      return () => {
        let isUnderWay = true
        return () => {
          if (isUnderWay) underWay -= 1
          if (isUnderWay && underWay === 0) over.push(batch)
          isUnderWay = false
        }
      }
    },
    withOver: async (write) => {
      const taken = over
      over = []
      return write(taken).catch((error) => {
        over.push(...taken)
        throw error
      })
    },
  }
}

/**
 * Part of a statement with callbacks as `input`, which their node gives back: they are not being sent, and
 * no note says so any more, whatever becomes of the node. Neither is in a table, so a join would compare
 * each with each, and both may be thousands; "in" looks them up.
 */
export const OUT_OF_NOTES = `out_of_notes as (
  update sendings s set payment_keys = n.payment_keys, kinds = n.kinds
  from (
    select s.node_id, s.batch,
           array_agg(case when not e.is_back then e.payment_key end order by e.nth)
             as payment_keys,
           case when s.kinds is not null
                then array_agg(case when not e.is_back then e.kind end order by e.nth) end as kinds
    from sendings s
    cross join lateral (
      select payment_key, kind, nth,
             case when payment_key is null then false
                  else (merchant_id, payment_key, state) in
                    (select merchant_id, payment_key, state from input) end as is_back
      from unnest(s.merchant_ids, s.payment_keys, s.states, s.kinds)
        with ordinality as u (merchant_id, payment_key, state, kind, nth)
      offset 0) e
    where s.node_id in (select node from input)
    group by s.node_id, s.batch
    having bool_or(e.is_back)
  ) n
  where s.node_id = n.node_id and s.batch = n.batch
)`
