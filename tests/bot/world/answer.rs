//! Requests and answers as inputs of the session.

use std::time::Instant;

use yinsh_bot::bot::session::{Answer, Input, Request};
use yinsh_bot::bot::{TransportError, Trip};

/// The input with the instant at which it was received.
pub(super) fn received(mut input: Input, at: Instant) -> Input {
    match &mut input {
        Input::Meta(Answer { trip, .. }) => trip.received = at,
        Input::Me(Answer { trip, .. }) => trip.received = at,
        Input::Polled(Answer { trip, .. }) => trip.received = at,
        Input::Read {
            answer: Answer { trip, .. },
            ..
        } => trip.received = at,
        Input::Watched {
            answer: Answer { trip, .. },
            ..
        } => trip.received = at,
        Input::Played {
            answer: Answer { trip, .. },
            ..
        } => trip.received = at,
        Input::Ended {
            answer: Answer { trip, .. },
            ..
        } => trip.received = at,
        _ => {}
    }
    input
}

/// The request, failed.
pub(super) fn failed(request: Request, trip: Trip, error: TransportError) -> Input {
    match request {
        Request::Meta => Input::Meta(Answer {
            trip,
            result: Err(error),
        }),
        Request::Me => Input::Me(Answer {
            trip,
            result: Err(error),
        }),
        Request::Poll { .. } => Input::Polled(Answer {
            trip,
            result: Err(error),
        }),
        Request::Read { game, .. } => Input::Read {
            game,
            answer: Answer {
                trip,
                result: Err(error),
            },
        },
        Request::Watch { game, tag, .. } => Input::Watched {
            game,
            tag,
            answer: Answer {
                trip,
                result: Err(error),
            },
        },
        Request::Play { game, ply, .. } => Input::Played {
            game,
            ply,
            answer: Answer {
                trip,
                result: Err(error),
            },
        },
        Request::End { game, how } => Input::Ended {
            game,
            how,
            answer: Answer {
                trip,
                result: Err(error),
            },
        },
        other => panic!("nobody offers games here: {other:?}"),
    }
}
