//! A memory of the last few things that are done with.

use std::collections::VecDeque;

/// The last things that were inserted, up to a fixed number.
pub(super) struct Recent<T>(VecDeque<T>);

impl<T: PartialEq> Recent<T> {
    /// More than any poll can list too late.
    const LIMIT: usize = 256;

    /// Empty.
    pub(super) fn new() -> Self {
        Self(VecDeque::new())
    }

    /// Remembers `item`, and forgets the oldest beyond the limit.
    pub(super) fn insert(&mut self, item: T) {
        if !self.contains(&item) {
            if self.0.len() == Self::LIMIT {
                self.0.pop_front();
            }
            self.0.push_back(item);
        }
    }

    /// Whether `item` is remembered.
    pub(super) fn contains(&self, item: &T) -> bool {
        self.0.contains(item)
    }
}
