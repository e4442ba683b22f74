//! Accounts and their tokens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::whole;
use super::{PlayerId, PlayerKind, TokenId};

/// `POST /bots`: a new bot account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewBot {
    /// 2 to 20 letters, digits, `-` or `_`; no other account may have it or one that looks like it.
    #[schema(
        min_length = 2,
        max_length = 20,
        pattern = "^[A-Za-z0-9_-]*[A-Za-z][A-Za-z0-9_-]*$"
    )]
    pub name: String,
    /// How long its first token lives; without it, until it is deleted.
    #[schema(minimum = 1, maximum = 316_224_000)]
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "whole::optional"
    )]
    pub token_ttl_s: Option<u64>,
}

/// A new account with its first token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedBot {
    /// The new account.
    pub id: PlayerId,
    /// Its name.
    pub name: String,
    /// Always a bot.
    pub kind: PlayerKind,
    /// Its first token.
    #[serde(flatten)]
    pub token: CreatedToken,
}

/// `POST /bots/{id}/tokens`: one more token for a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewToken {
    /// How long it lives; without it, until it is deleted.
    #[schema(minimum = 1, maximum = 316_224_000)]
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "whole::optional"
    )]
    pub token_ttl_s: Option<u64>,
}

/// A token, shown this once: the server keeps only its hash.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedToken {
    /// Names the token, for deleting it.
    pub token_id: TokenId,
    /// The secret for the `Authorization: Bearer` header.
    pub token: String,
    /// When it stops working; `null` means never.
    pub token_expires_at: Option<u64>,
}

/// The secret stays out of logs.
impl std::fmt::Debug for CreatedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreatedToken")
            .field("token_id", &self.token_id)
            .field("token", &"***")
            .field("token_expires_at", &self.token_expires_at)
            .finish()
    }
}

/// `GET /me`: the account behind the token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The account.
    pub id: PlayerId,
    /// Its name.
    pub name: String,
    /// Who sits behind it.
    pub kind: PlayerKind,
    /// Its rating.
    pub rating: u32,
    /// How many games it plays at the moment.
    pub active_games: u32,
    /// The token that was used.
    pub token_id: TokenId,
    /// When that token stops working; `null` means never.
    #[serde(default)]
    pub token_expires_at: Option<u64>,
}

/// A player as named in games, seeks and challenges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerRef {
    /// The account.
    pub id: PlayerId,
    /// Its name.
    pub name: String,
    /// Who sits behind it.
    pub kind: PlayerKind,
    /// Its rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
}

/// `GET /players/{id}`: a player's public face.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Player {
    /// The account.
    pub id: PlayerId,
    /// Its name.
    pub name: String,
    /// Who sits behind it.
    pub kind: PlayerKind,
    /// Its rating.
    pub rating: u32,
    /// The rating's standard deviation: the larger, the less is known.
    #[serde(default)]
    pub rating_deviation: Option<u32>,
    /// How many rated games it has finished.
    #[serde(default)]
    pub rated_games: u32,
    /// Since when it has been here without a break; `null` while it is away.
    #[serde(default)]
    pub online_since_at: Option<u64>,
}

/// `GET /players`: one page, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayersPage {
    /// The players of this page.
    pub players: Vec<Player>,
    /// Asks for the next page; `null` on the last.
    #[serde(default)]
    pub next_cursor: Option<String>,
}
