//! How games come about: seeks, challenges, and the one resource that a bot polls.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::whole;
use super::{
    ChallengeId, ChallengeStatus, Clock, ColorChoice, DeclineReason, GameId, MyGame, OpponentKind,
    PlayerId, PlayerRef, SeekId, VariantWord,
};

/// `POST /seeks`: who wants to play me?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewSeek {
    /// Which game.
    pub variant: VariantWord,
    /// The colour that the seeker plays.
    pub color: ColorChoice,
    /// Whether the result counts.
    pub rated: bool,
    /// The time control.
    pub clock: Clock,
    /// Who may accept.
    pub opponent_kind: OpponentKind,
    /// How long it stays open unless it is kept alive, 1 to 600 seconds.
    #[schema(minimum = 1, maximum = 600)]
    #[serde(deserialize_with = "whole::number")]
    pub ttl_s: u64,
}

/// A seek that has just been opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeekCreated {
    /// The new seek.
    pub id: SeekId,
    /// When it ends unless it is kept alive.
    pub expires_at: u64,
}

/// An open seek.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seek {
    /// Names it.
    pub id: SeekId,
    /// Who seeks.
    pub from: PlayerRef,
    /// Which game.
    pub variant: VariantWord,
    /// The colour that the seeker plays.
    pub color: ColorChoice,
    /// Whether the result counts.
    pub rated: bool,
    /// The time control.
    pub clock: Clock,
    /// Who may accept.
    pub opponent_kind: OpponentKind,
    /// When it ends unless it is kept alive.
    pub expires_at: u64,
}

/// `GET /seeks`: every open seek, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeeksPage {
    /// The seeks.
    pub seeks: Vec<Seek>,
}

/// `POST /challenges`: you, play me.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewChallenge {
    /// Who is asked.
    pub to: PlayerId,
    /// Which game.
    pub variant: VariantWord,
    /// The colour that the challenger plays.
    pub color: ColorChoice,
    /// Whether the result counts.
    pub rated: bool,
    /// The time control.
    pub clock: Clock,
}

/// A challenge that has just been sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChallengeCreated {
    /// The new challenge.
    pub id: ChallengeId,
    /// When it ends unless it is answered.
    pub expires_at: u64,
}

/// A challenge, as both sides see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Challenge {
    /// Names it.
    pub id: ChallengeId,
    /// Who asks.
    pub from: PlayerRef,
    /// Who is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PlayerRef>,
    /// Which game.
    pub variant: VariantWord,
    /// Whether the result counts.
    pub rated: bool,
    /// The colour that the challenger plays.
    pub color: ColorChoice,
    /// The time control.
    pub clock: Clock,
    /// When it ends unless it is answered.
    pub expires_at: u64,
    /// How far it has come.
    #[serde(default = "open")]
    pub status: ChallengeStatus,
    /// Why it was declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decline_reason: Option<DeclineReason>,
    /// The game it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_id: Option<GameId>,
}

/// A server that does not tell a status lists open challenges only.
fn open() -> ChallengeStatus {
    ChallengeStatus::Open
}

/// `POST /challenges/{id}/decline`: no, because.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decline {
    /// Why.
    pub reason: DeclineReason,
}

/// `GET /me/pending`: all that may want an answer from me.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pending {
    /// The server's clock.
    pub server_time: u64,
    /// Grows with every change; the ETag is made of it.
    pub version: u64,
    /// Open challenges to me, the oldest first.
    #[serde(default)]
    pub challenges: Vec<Challenge>,
    /// My own challenges and how they were answered, until they expire.
    #[serde(default)]
    pub sent: Vec<Challenge>,
    /// My running games, my turn first, the nearest deadline first.
    #[serde(default)]
    pub games: Vec<MyGame>,
}
