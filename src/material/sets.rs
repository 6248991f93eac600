//! Ranking of sets: combinations to numbers and back.

use crate::game::SquareSet;

/// Number of ways to choose `k` of `n`.
pub const fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let (mut result, mut i) = (1_u64, 0);
    while i < k {
        result = result * (n - i) as u64 / (i as u64 + 1);
        i += 1;
    }
    result
}

/// The rank of `set` among the sets of its size within `within`, in colexicographic order:
/// sets that differ only in their lowest square are neighbors.
///
/// Knuth, *The Art of Computer Programming*, 7.2.1.3, combinatorial number system.
#[inline]
pub fn rank_set(set: SquareSet, within: SquareSet) -> u64 {
    debug_assert!(set.is_within(within));
    let mut ranks = set.into_iter().zip(1..);
    let Some((lowest, _)) = ranks.next() else { return 0 };
    let first = within.rank_of(lowest) as u64;
    ranks.fold(first, |sum, (square, k)| sum + binomial(within.rank_of(square), k))
}

/// The set of `size` squares of `within` that has this rank: the inverse of [`rank_set`].
///
/// # Panics
/// Panics if there is no such set.
pub fn unrank_set(mut rank: u64, size: usize, within: SquareSet) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    let mut n = within.len();
    for k in (2..=size).rev() {
        // The largest n with binomial(n, k) <= rank.
        while binomial(n, k) > rank {
            n -= 1;
        }
        rank -= binomial(n, k);
        set |= within.nth(n).set();
    }
    if size > 0 { set | within.nth(rank as usize).set() } else { set }
}

/// The set of the lowest `size` squares of `within`, which has rank 0.
#[inline]
pub fn first_set(size: usize, within: SquareSet) -> SquareSet {
    let mut left = within.0;
    for _ in 0..size {
        left &= left.wrapping_sub(1);
    }
    SquareSet(within.0 & !left)
}

/// The next set in rank order of the same size within `within`; `None` after the last.
///
/// Gosper's hack (HAKMEM, item 175) restricted to the squares of `within`: the addition at the lowest square carries
/// over occupied squares, and over squares outside `within`, which are filled in.
#[inline]
pub fn next_set(set: SquareSet, within: SquareSet) -> Option<SquareSet> {
    let lowest = set.0 & set.0.wrapping_neg();
    let moved = SquareSet((set.0 | !within.0).wrapping_add(lowest) & within.0);
    (moved.0 != 0).then(|| moved | first_set(set.len() - moved.len(), within))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        let within = SquareSet(0b1011_0110_1101);
        for size in 0..=4 {
            let count = binomial(within.len(), size);
            for rank in 0..count {
                let set = unrank_set(rank, size, within);
                assert_eq!(set.len(), size);
                assert!(set.is_within(within));
                assert_eq!(rank_set(set, within), rank);
                if rank == 0 {
                    assert_eq!(first_set(size, within), set);
                }
                if size > 0 {
                    let next = (rank + 1 < count).then(|| unrank_set(rank + 1, size, within));
                    assert_eq!(next_set(set, within), next);
                }
            }
        }
        assert_eq!(binomial(49, 3), 18_424);
        assert_eq!(binomial(3, 4), 0);
    }
}
