//! Worker threads: a limited number of jobs run, a limited number wait, and further jobs are refused.

use super::error::ApiError;
use crate::system::Cancel;
use prometheus::IntCounter;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// Limits on work outside the threads that handle connections.
#[derive(Debug)]
pub struct Workers {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    refused: IntCounter,
}

impl Workers {
    /// Up to `running` jobs at a time, and up to `queue` waiting; `refused` counts the others.
    pub fn new(running: usize, queue: usize, refused: IntCounter) -> Self {
        Self { running: Arc::new(Semaphore::new(running)), waiting: AtomicUsize::new(0), queue, refused }
    }

    /// Runs a job on its own thread and waits for the result. If the caller is dropped, the job leaves the queue; a
    /// running job is cancelled.
    ///
    /// # Errors
    /// Returns an error if too many jobs are waiting, or if the job panics.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce(&Cancel) -> T + Send + 'static) -> Result<T, ApiError> {
        let turn = if let Ok(turn) = Arc::clone(&self.running).try_acquire_owned() {
            turn
        } else {
            let _place = self.line_up()?;
            Arc::clone(&self.running).acquire_owned().await.map_err(|_| ApiError::Internal)?
        };
        let cancel = Cancel::new();
        let _unless_awaited = cancel.on_drop();
        let job = move || {
            let result = job(&cancel);
            drop(turn);
            result
        };
        tokio::task::spawn_blocking(job).await.map_err(|_| ApiError::Internal)
    }

    fn line_up(&self) -> Result<QueuePlace<'_>, ApiError> {
        let place = QueuePlace(&self.waiting);
        // Incremented before the comparison, so that two callers cannot both take the last place.
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        if before < self.queue {
            return Ok(place);
        }
        self.refused.inc();
        Err(ApiError::Overloaded)
    }
}

/// A place in the queue, released on drop.
struct QueuePlace<'a>(&'a AtomicUsize);

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers(running: usize, queue: usize) -> Workers {
        Workers::new(running, queue, IntCounter::new("refused", "refused").unwrap())
    }

    #[tokio::test]
    async fn a_job_that_fails_gives_back_its_turn() {
        let workers = workers(1, 0);
        for n in 0..3 {
            let failed = workers.run(|_| assert!(std::hint::black_box(false), "as the test wants it")).await;
            assert!(matches!(failed, Err(ApiError::Internal)));
            assert_eq!(workers.run(move |_| n).await.unwrap(), n);
        }
        assert_eq!(workers.refused.get(), 0);
    }

    #[tokio::test]
    async fn a_job_hears_that_nobody_waits() {
        let workers = Arc::new(workers(1, 0));
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (ended, has_ended) = tokio::sync::oneshot::channel();
        let job = |cancel: &Cancel| {
            begun.send(!cancel.is_cancelled()).unwrap();
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            ended.send(()).unwrap();
        };
        let caller = tokio::spawn({
            let workers = Arc::clone(&workers);
            async move { workers.run(job).await }
        });
        assert!(has_begun.await.unwrap());
        caller.abort();
        has_ended.await.unwrap();
    }
}
