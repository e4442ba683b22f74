//! A way to the server on which requests and answers get lost.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use yinsh_bot::api::{
    ChallengeCreated, ChallengeId, DeclineReason, GameId, GameState, Me, Meta, NewChallenge,
    NewSeek, Pending, PlayersPage, PutTurn, SeekCreated, SeekId, SeeksPage,
};
use yinsh_bot::bot::{HttpTransport, Tagged, Transport, TransportError};

/// Loses every seventh request on its way, and every fifth answer on its way back.
pub struct Flaky {
    inner: HttpTransport,
    requests: AtomicUsize,
}

impl Flaky {
    /// The requests are counted from `first` on.
    pub fn new(inner: HttpTransport, first: usize) -> Self {
        Self {
            inner,
            requests: AtomicUsize::new(first),
        }
    }

    async fn pass<T>(
        &self,
        request: impl Future<Output = Result<T, TransportError>>,
    ) -> Result<T, TransportError> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        assert_ne!(number, usize::MAX, "as if there were a mistake in it");
        if number % 7 == 6 {
            let detail = "lost on its way".to_owned();
            return Err(TransportError::Network { detail });
        }
        let answer = request.await;
        if number % 5 == 4 {
            return Err(TransportError::Timeout);
        }
        answer
    }
}

#[async_trait]
impl Transport for Flaky {
    async fn meta(&self) -> Result<Meta, TransportError> {
        self.pass(self.inner.meta()).await
    }

    async fn me(&self) -> Result<Me, TransportError> {
        self.pass(self.inner.me()).await
    }

    async fn pending(
        &self,
        wait_s: u64,
        tag: Option<&str>,
    ) -> Result<Option<Tagged<Pending>>, TransportError> {
        self.pass(self.inner.pending(wait_s, tag)).await
    }

    async fn game(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError> {
        self.pass(self.inner.game(game)).await
    }

    async fn game_change(
        &self,
        game: &GameId,
        wait_s: u64,
        tag: &str,
    ) -> Result<Option<Tagged<GameState>>, TransportError> {
        self.pass(self.inner.game_change(game, wait_s, tag)).await
    }

    async fn play(
        &self,
        game: &GameId,
        ply: u16,
        turn: &PutTurn,
        timeout: Duration,
    ) -> Result<Tagged<GameState>, TransportError> {
        self.pass(self.inner.play(game, ply, turn, timeout)).await
    }

    async fn abort(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError> {
        self.pass(self.inner.abort(game)).await
    }

    async fn resign(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError> {
        self.pass(self.inner.resign(game)).await
    }

    async fn accept(&self, challenge: &ChallengeId) -> Result<GameId, TransportError> {
        self.pass(self.inner.accept(challenge)).await
    }

    async fn decline(
        &self,
        challenge: &ChallengeId,
        reason: DeclineReason,
    ) -> Result<(), TransportError> {
        self.pass(self.inner.decline(challenge, reason)).await
    }

    async fn challenge(
        &self,
        challenge: &NewChallenge,
    ) -> Result<ChallengeCreated, TransportError> {
        self.pass(self.inner.challenge(challenge)).await
    }

    async fn cancel_challenge(&self, challenge: &ChallengeId) -> Result<(), TransportError> {
        self.pass(self.inner.cancel_challenge(challenge)).await
    }

    async fn seeks(&self) -> Result<SeeksPage, TransportError> {
        self.pass(self.inner.seeks()).await
    }

    async fn seek(&self, seek: &NewSeek) -> Result<SeekCreated, TransportError> {
        self.pass(self.inner.seek(seek)).await
    }

    async fn accept_seek(&self, seek: &SeekId) -> Result<GameId, TransportError> {
        self.pass(self.inner.accept_seek(seek)).await
    }

    async fn cancel_seek(&self, seek: &SeekId) -> Result<(), TransportError> {
        self.pass(self.inner.cancel_seek(seek)).await
    }

    async fn players(&self, cursor: Option<&str>) -> Result<PlayersPage, TransportError> {
        self.pass(self.inner.players(cursor)).await
    }
}
