//! What the session asks, as calls of a transport.

use std::time::{Duration, Instant};

use super::session::{Answer, Ending, Input, OfferId, Request};
use super::timing::Trip;
use super::transport::{Tagged, Transport, TransportError};
use crate::api::{GameId, GameState};

/// Asks for what the session wants to know, and says what came of it.
pub(super) async fn ask(transport: &dyn Transport, request: Request) -> Input {
    match request {
        Request::Meta => Input::Meta(timed(transport.meta()).await),
        Request::Me => Input::Me(timed(transport.me()).await),
        Request::Poll { wait_s, tag } => {
            Input::Polled(timed(transport.pending(wait_s, tag.as_deref())).await)
        }
        Request::Read { game, timeout } => Input::Read {
            answer: timed(read(transport, &game, timeout)).await,
            game,
        },
        Request::Watch { game, wait_s, tag } => Input::Watched {
            answer: timed(transport.game_change(&game, wait_s, &tag)).await,
            game,
            tag,
        },
        Request::Play {
            game,
            ply,
            turn,
            timeout,
        } => Input::Played {
            answer: timed(transport.play(&game, ply, &turn, timeout)).await,
            game,
            ply,
        },
        Request::End { game, how } => Input::Ended {
            answer: timed(end(transport, &game, how)).await,
            game,
            how,
        },
        Request::Accept { challenge } => Input::Accepted {
            answer: timed(transport.accept(&challenge)).await,
            challenge,
        },
        Request::Decline { challenge, reason } => Input::Declined {
            answer: timed(transport.decline(&challenge, reason)).await,
            challenge,
        },
        Request::Cancel(offer) => Input::Cancelled {
            answer: timed(cancel(transport, &offer)).await,
            offer,
        },
        Request::Seeks => Input::Seeks(timed(transport.seeks()).await),
        Request::AcceptSeek { seek } => {
            Input::SeekAccepted(timed(transport.accept_seek(&seek)).await)
        }
        Request::Seek(seek) => Input::Sought(timed(transport.seek(&seek)).await),
        Request::Players { cursor } => {
            Input::Players(timed(transport.players(cursor.as_deref())).await)
        }
        Request::Challenge(challenge) => {
            Input::Challenged(timed(transport.challenge(&challenge)).await)
        }
    }
}

async fn read(
    transport: &dyn Transport,
    game: &GameId,
    timeout: Duration,
) -> Result<Tagged<GameState>, TransportError> {
    let read = tokio::time::timeout(timeout, transport.game(game)).await;
    read.unwrap_or(Err(TransportError::Timeout))
}

async fn end(
    transport: &dyn Transport,
    game: &GameId,
    how: Ending,
) -> Result<Tagged<GameState>, TransportError> {
    match how {
        Ending::Abort => transport.abort(game).await,
        Ending::Resign => transport.resign(game).await,
    }
}

async fn cancel(transport: &dyn Transport, offer: &OfferId) -> Result<(), TransportError> {
    match offer {
        OfferId::Challenge(id) => transport.cancel_challenge(id).await,
        OfferId::Seek(id) => transport.cancel_seek(id).await,
    }
}

async fn timed<T>(request: impl Future<Output = Result<T, TransportError>>) -> Answer<T> {
    let sent = Instant::now();
    let result = request.await;
    let received = Instant::now();
    Answer {
        trip: Trip { sent, received },
        result,
    }
}
